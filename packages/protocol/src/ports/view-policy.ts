import type { ChannelMetadata } from "../channel/channel-metadata.js";
import type { Envelope } from "../envelope/envelope.js";
import type { Content } from "../message/content-part.js";
import type { Message } from "../message/message.js";

/** A view named by data, so that it can stand in a knob or a command line. */
export interface ViewSpec {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * A stretch of a WAL as one participant may see it.
 *
 * It holds the newest envelopes up to some position, visible to the participant, oldest first.
 * Whoever cuts it also counts what stands before it, so that a view can say so without reading it.
 * An envelope has something to show when `showsSomething` says so of its rendering. For a view that
 * needs the `last` n, the slice is the newest n envelopes that are visible and have something to
 * show; for one that needs `all`, it is every visible envelope, and nothing is left out.
 */
export interface WalSlice {
  readonly envelopes: readonly Envelope[];
  readonly left_out: {
    /** Visible envelopes with something to show that stand before the slice. */
    readonly count: number;
    /** Ids of their senders, each once, in any order. */
    readonly senders: readonly string[];
  };
}

/** The empty slice. */
export const EMPTY_SLICE: WalSlice = { envelopes: [], left_out: { count: 0, senders: [] } };

/** What a projection needs beside the slice. All of it is data or a pure function. */
export interface ViewContext {
  readonly participantId: string;
  readonly channel: ChannelMetadata;
  /** What an envelope shows; null for nothing. Supplied by the channel's adapter. */
  render(envelope: Envelope): Content | null;
  /** A participant's name; the id itself when unknown. */
  nameFor(agentId: string): string;
}

/** Turns a slice of a WAL into the history that a model sees. Pure. */
export interface ViewPolicy {
  readonly name: string;
  /**
   * How much of the WAL it needs: the newest so many envelopes that are visible and show
   * something, or all.
   */
  readonly needs: { readonly last: number } | "all";
  project(slice: WalSlice, context: ViewContext): Message[];
}
