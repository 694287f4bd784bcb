import type { ChannelMetadata, Expectation } from "@colloquy/protocol";
import type { Moment } from "../live/channel-watch.js";

/** What a channel keeps for its expectations: only the parts that one of them needs. */
export type FactPart = "content" | "turn" | "replies" | "speakers";

/** Whose turn it is, and since when. */
export interface WatchedTurn {
  readonly agent_id: string;
  readonly triggering_envelope_id: string | null;
  /** The envelope that made it so. */
  readonly since: Moment;
}

/**
 * What an evaluator judges by: a few facts that are kept up to date with every durable envelope.
 * A part that the evaluator does not name in `needs` may be empty.
 */
export interface ExpectationFacts {
  readonly channel: ChannelMetadata;
  /** The adapter's state; plain JSON. */
  readonly state: unknown;
  /** Position of the newest durable envelope. */
  readonly position: number;
  /** When the channel was created: position 0, epoch milliseconds. */
  readonly created: Moment;
  /** The newest content, or the channel's creation. Needs `content`. */
  readonly lastContent: Moment;
  /** Null where nobody is awaited, and before the channel has opened. Needs `turn`. */
  readonly turn: WatchedTurn | null;
  /** The newest text or packet for a participant after which it has said nothing. Needs `replies`. */
  unanswered(agentId: string): Moment | null;
  /** A participant's newest content. Needs `speakers`. */
  lastSaid(agentId: string): Moment | null;
}

/** Something that will have been violated at an instant, unless an envelope ends it before. */
export interface OpenCondition {
  /**
   * Who will have broken the promise; null when it is about the channel as a whole. One to whom the
   * expectation does not apply is left out by the hub.
   */
  readonly violator: string | null;
  /** What began it. It is violated once; another position here is another condition. */
  readonly since: Moment;
  /** Epoch milliseconds from which on it is violated. */
  readonly due: number;
  /** Added to the violation's `detail`. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * Says when a promise about a channel is broken. Pure and synchronous: same facts, same conditions,
 * so that a hub that was restarted finds the same ones.
 */
export interface ExpectationEvaluator {
  /** The name by which expectations choose it. */
  readonly name: string;
  /** Parts of the facts that it looks at for such an expectation. */
  needs(expectation: Expectation): readonly FactPart[];
  /** Throws `ProtocolError` for parameters that it cannot work with. */
  check?(expectation: Expectation): void;
  /**
   * Milliseconds after an envelope before which nothing that it begins can be violated; default 0,
   * which costs a look after each envelope.
   */
  leastMs?(expectation: Expectation): number;
  /** What is open now, violated already or later. */
  conditions(expectation: Expectation, facts: ExpectationFacts): Iterable<OpenCondition>;
}
