import type { Envelope } from "@colloquy/protocol";
import type { Moment, WatchFacts } from "../../live/channel-watch.js";

type SavedReplies = NonNullable<WatchFacts["replies"]>;

/**
 * Who has been spoken to and has not spoken since.
 *
 * A word to everybody is kept once, with those who have spoken since, so that it costs the same in
 * a channel of two and of ten thousand.
 */
export class ReplyFacts {
  #broadcast: Moment | null;
  readonly #spoken: Set<string>;
  readonly #directed: Map<string, Moment>;

  constructor(saved?: SavedReplies) {
    this.#broadcast = saved?.broadcast ?? null;
    this.#spoken = new Set(saved?.spoken);
    this.#directed = new Map(Object.entries(saved?.directed ?? {}));
  }

  /** Takes in a text or packet. */
  note({ sender_id, audience }: Pick<Envelope, "sender_id" | "audience">, moment: Moment): void {
    if (audience === null) {
      this.#broadcast = moment;
      this.#spoken.clear();
    } else {
      for (const recipient of audience) this.#directed.set(recipient, moment);
    }
    this.#directed.delete(sender_id);
    if (this.#broadcast !== null) this.#spoken.add(sender_id);
  }

  /** The newest word to an agent that it has not followed with one of its own. */
  unanswered(agentId: string): Moment | null {
    const directed = this.#directed.get(agentId) ?? null;
    const broadcast = this.#spoken.has(agentId) ? null : this.#broadcast;
    if (directed === null || broadcast === null) return directed ?? broadcast;
    return directed[0] > broadcast[0] ? directed : broadcast;
  }

  toJSON(): SavedReplies {
    return {
      broadcast: this.#broadcast,
      spoken: [...this.#spoken],
      directed: Object.fromEntries(this.#directed),
    };
  }
}
