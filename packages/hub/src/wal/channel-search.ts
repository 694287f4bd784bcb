import type { Envelope } from "@colloquy/protocol";

/** How to search a channel. */
export interface ChannelSearch {
  /** Positions strictly above this one; default 0. */
  readonly after?: number | undefined;
  /** Positions strictly below this one; default: no bound. */
  readonly before?: number | undefined;
  /** Default `oldest` first. */
  readonly order?: "oldest" | "newest" | undefined;
  /** Most envelopes to give; default 20, at most 1,000. */
  readonly limit?: number | undefined;
  /** What may be found; default: everything. */
  isVisible?(envelope: Envelope, position: number): boolean;
}

/** A page of what was found, in the order of the search. */
export interface FoundPage {
  readonly envelopes: readonly Envelope[];
  /** Position of each envelope, in the same order. */
  readonly positions: readonly number[];
  /** `after` of the next page, or its `before` when the newest come first; null at the end. */
  readonly next: number | null;
}
