import { type Envelope, EV_PACKET, EV_TEXT, type TurnPort } from "@colloquy/protocol";
import { findParticipant } from "../channel/find-participant.js";
import { answerKey } from "./encode-round.js";
import type { TurnFrame } from "./stamp-context.js";
import type { TurnHost } from "./turn-host.js";

/** A {@link TurnPort}, and what was done through it. */
export interface WatchedTurnPort extends TurnPort {
  /** True once something was said in the channel of the turn. */
  readonly hasSpoken: boolean;
}

/**
 * What the tools of a turn may do.
 *
 * What they post carries a key made of the trigger and a number, so that a turn which is run again
 * does not say the same thing twice.
 *
 * @param frame - once its signal is aborted nothing is said any more, because the turn may be under
 *   way anew; its trace stands in what is posted
 */
export function createTurnPort(
  host: Pick<TurnHost, "client" | "hub">,
  trigger: Envelope,
  names: Readonly<Record<string, string>>,
  { signal, trace }: Pick<TurnFrame, "signal" | "trace">,
): WatchedTurnPort {
  const { client, hub } = host;
  let posts = 0;
  let hasSpoken = false;
  return {
    channelId: trigger.channel_id,
    agentId: client.agentId,
    get hasSpoken() {
      return hasSpoken;
    },
    async post(draft) {
      signal.throwIfAborted();
      const key = `${answerKey(trigger.envelope_id)}:${posts}`;
      posts += 1;
      const envelopeId = await client.send({
        depth: trigger.depth,
        trace_id: trace.traceparent,
        idempotency_key: key,
        ...draft,
      });
      const speaks = draft.event_type === EV_TEXT || draft.event_type === EV_PACKET;
      if (speaks && draft.channel_id === trigger.channel_id) hasSpoken = true;
      return envelopeId;
    },
    async resolveName(name) {
      const known = findParticipant(name, names);
      return known ?? (await hub.resolveNames([name]))[name] ?? null;
    },
  };
}
