import type { ChannelAdapter, ChannelHead, ChannelMetadata } from "@colloquy/protocol";
import type { CausationIndex } from "./causation-index.js";
import type { ChannelWatch } from "./channel-watch.js";
import type { IdempotencyIndex } from "./idempotency-index.js";
import type { SpeechTally } from "./speech-tally.js";

/**
 * A channel in memory: what a fold of its WAL gives, and where the WAL ends.
 *
 * `metadata`, `state` and `head` are ahead of the store by what is staged; admission decides on
 * them. `durable` is what the store has, and what readers are shown. A failed commit drops the
 * channel, and its next use reads it again.
 */
export interface LiveChannel {
  readonly id: string;
  metadata: ChannelMetadata;
  /** Null when no adapter of its type is registered: readable, but nothing can be posted. */
  readonly adapter: ChannelAdapter | null;
  /** The adapter's state; undefined without an adapter. */
  state: unknown;
  head: ChannelHead;
  /** Position of the newest envelope known to be durable; at most `head.position`. */
  committed: number;
  /** Metadata and state as of `committed`. */
  durable: { readonly metadata: ChannelMetadata; readonly state: unknown };
  /** Position of the newest snapshot. */
  snapshotAt: number;
  /** Members as of `metadata`. */
  participants: ReadonlySet<string>;
  /** Those of them who are spoken to; the same object while nobody is hidden. */
  addressed: ReadonlySet<string>;
  readonly idempotency: IdempotencyIndex;
  readonly causation: CausationIndex;
  /** Least depth of every envelope: one more than what the channel was opened in the course of; 0 for none. */
  depthFloor: number;
  /** Stands for posts that wait until the depth of their cause is read; those after them wait too. */
  waiting: Promise<void> | null;
  /** Counts what is durable. */
  readonly tally: SpeechTally;
  /** Facts for the channel's expectations, as of what is durable; null when nothing is expected. */
  readonly watch: ChannelWatch | null;
  /** False until the indexes have read the newest part of the WAL; nothing is posted before. */
  warm: boolean;
}
