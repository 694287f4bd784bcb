import { EV_CHANNEL_OPENED, type ExpectedTurn } from "@colloquy/protocol";
import type { Moment, WatchFacts } from "../../live/channel-watch.js";
import type { WatchedTurn } from "../evaluator.js";

type SavedTurn = NonNullable<WatchFacts["turn"]>;

/** Whose turn it is, and since which envelope. */
export class TurnFacts {
  #opened: boolean;
  #now: WatchedTurn | null;

  constructor(saved?: SavedTurn) {
    this.#opened = saved?.opened ?? false;
    this.#now = saved?.now ?? null;
  }

  get now(): WatchedTurn | null {
    return this.#now;
  }

  /** True for an envelope after which somebody may be expected. */
  counts(eventType: string): boolean {
    if (eventType === EV_CHANNEL_OPENED) this.#opened = true;
    return this.#opened;
  }

  /** Takes in who is expected after an envelope. */
  note(expected: ExpectedTurn | null, since: Moment): void {
    if (expected === null) {
      this.#now = null;
      return;
    }
    const { agent_id, triggering_envelope_id } = expected;
    const { agent_id: agent, triggering_envelope_id: trigger } = this.#now ?? {};
    if (agent === agent_id && trigger === triggering_envelope_id) return;
    this.#now = { agent_id, triggering_envelope_id, since };
  }

  toJSON(): SavedTurn {
    const now = this.#now;
    return { opened: this.#opened, now: now === null ? null : { ...now, since: [...now.since] } };
  }
}
