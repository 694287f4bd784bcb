import type { Clock, DeltaFrame, Envelope, Timer } from "@colloquy/protocol";
import type { TurnHost } from "./turn-host.js";

/** Characters that are gathered at most; a hub takes up to 16,384 in one piece unless told otherwise. */
const MAX_PIECE = 4_096;

/** What a run of a turn shows while it writes. */
export interface TurnDeltas {
  /** Takes text to show. Nothing is shown any more once the run has ended. */
  push(text: string): void;
  /** Sends what was gathered, and takes nothing more. */
  finish(): void;
  /** Ends it. Unless an envelope takes its place readers are told how; what was gathered is dropped. */
  end(how: "answered" | NonNullable<DeltaFrame["ended"]>): void;
}

/** What showing a turn needs of the participant that runs it. */
export interface DeltaHost extends Pick<TurnHost, "deltaIntervalMs" | "sendDelta"> {
  readonly clock: Clock;
  readonly client: { readonly agentId: string };
}

/**
 * Makes {@link TurnDeltas}: the first piece leaves at once, what follows is gathered and leaves as
 * one piece after an interval or when it is long.
 *
 * An envelope for some members only is answered in front of these and its sender.
 *
 * @param attempt - run of the turn, from 1
 */
export function createTurnDeltas(host: DeltaHost, trigger: Envelope, attempt: number): TurnDeltas {
  const { clock, deltaIntervalMs } = host;
  const { audience, sender_id } = trigger;
  const shared = {
    kind: "delta" as const,
    channel_id: trigger.channel_id,
    sender_id: host.client.agentId,
    turn_id: trigger.envelope_id,
    attempt,
    ...(audience === null ? {} : { audience: [...new Set([sender_id, ...audience])] }),
  };
  let gathered = "";
  let sequence = 0;
  let timer: Timer | null = null;
  let isOpen = true;
  let hasEnded = false;

  const send = (piece: Pick<DeltaFrame, "text" | "ended">): void => {
    host.sendDelta({ ...shared, sequence, ...piece });
    sequence += 1;
  };
  const flush = (): void => {
    timer?.cancel();
    timer = null;
    const text = gathered;
    gathered = "";
    for (let from = 0; from < text.length; from += MAX_PIECE) {
      send({ text: text.slice(from, from + MAX_PIECE) });
    }
  };
  /** Opens an interval; what comes within it waits for its end. */
  const wait = (): void => {
    if (deltaIntervalMs === 0) return;
    timer = clock.setTimer(deltaIntervalMs, () => {
      timer = null;
      if (gathered === "") return;
      flush();
      wait();
    });
  };
  return {
    push(text) {
      if (!isOpen || text === "") return;
      gathered += text;
      if (timer !== null && gathered.length < MAX_PIECE) return;
      flush();
      wait();
    },
    finish() {
      isOpen = false;
      flush();
    },
    end(how) {
      if (hasEnded) return;
      hasEnded = true;
      isOpen = false;
      timer?.cancel();
      if (how === "answered" || sequence === 0) return;
      send({ text: "", ended: how });
    },
  };
}
