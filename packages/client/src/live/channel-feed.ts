import type { Clock, Logger } from "@colloquy/protocol";
import type { ConnectionStatus } from "../connection/status.js";
import type { ChannelEntry } from "./channel-entry.js";

/** How to follow a channel. */
export interface FollowOptions {
  /** Newest envelopes that are shown at the start; default 200. Older ones are not read. */
  readonly last?: number | undefined;
  /** Ended entries that are kept, beyond which the oldest is left out; default 1,000. */
  readonly capacity?: number | undefined;
  /**
   * Milliseconds without a piece after which a growing answer counts as broken, for as long as nothing
   * more of it comes; default 120,000. Time without a connection does not count.
   */
  readonly quietMs?: number | undefined;
  /** Measures silence; default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Default: says nothing. */
  readonly logger?: Logger | undefined;
}

/**
 * A channel as a screen shows it: each envelope once, in the channel's order, and answers while they
 * are written.
 *
 * The channel's log is the truth. What was missed is read from it, after a break too, so envelopes are
 * never missing for good; pieces of answers may be. It goes on until it is closed or its participant
 * stops.
 */
export interface ChannelFeed extends Disposable {
  readonly channelId: string;
  /** What has ended, in the channel's order, then what grows. A new list after each change. */
  readonly entries: readonly ChannelEntry[];
  /** Ended entries that were left out because of `capacity`. */
  readonly dropped: number;
  /** Agents whose answer is growing, as far as was seen. It says nothing of the link, nor the link of them. */
  readonly writing: readonly string[];
  /** The connection to the hub. While it is down the entries stand as they were last seen. */
  readonly link: ConnectionStatus;
  /** False while something may be missing: the link is down, or what was missed is being read. */
  readonly isCurrent: boolean;
  /** Why what was missed could not be read; null since that has worked. */
  readonly error: Error | null;
  readonly isClosed: boolean;
  /**
   * Calls a listener after each change, with the entries that have changed; with none when the link
   * or `isCurrent` has. Returns a function that ends it. One that throws is logged and hurts no other.
   */
  onChange(listener: FeedListener): () => void;
  /**
   * Each entry as it is now, then each that changes. A slow reader gets the newest state of an entry
   * and misses those between. Ends when the feed does.
   */
  changes(): AsyncIterableIterator<ChannelEntry>;
  /** Ends it; its entries stay readable. May be repeated. */
  close(): void;
}

/** Hears what has changed; see {@link ChannelFeed.onChange}. */
export type FeedListener = (changed: readonly ChannelEntry[]) => void;
