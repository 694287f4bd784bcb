import type { Envelope } from "@colloquy/protocol";

/**
 * One thing said in a channel, as a screen shows it: an envelope, or an answer that grows and ends as
 * one. It keeps its id from the first piece to the final envelope, also over a reload of the page.
 */
export interface ChannelEntry {
  /** Of an answer that was seen growing, made of its writer and what it answers; otherwise the envelope's id. */
  readonly id: string;
  readonly senderId: string;
  /**
   * `growing` while pieces come, `complete` once the envelope is here. `broken`: it will hardly be
   * completed; should more come, or the envelope, it goes on under the same id.
   */
  readonly state: "growing" | "complete" | "broken";
  /** What has been said so far; empty for an envelope that says nothing. */
  readonly text: string;
  /** True when pieces are missing in the text; never when it is complete. */
  readonly hasGaps: boolean;
  /** Envelope that is being answered; null for an entry that was never seen growing. */
  readonly turnId: string | null;
  /** Run of the turn, from 1. A later one has started the text anew. */
  readonly attempt: number;
  /** Why it is broken; null otherwise. */
  readonly reason: BreakReason | null;
  /** Null until it is complete. */
  readonly envelope: Envelope | null;
  /** Place in the channel, from 1; null until it is complete. */
  readonly position: number | null;
}

/**
 * Why an answer has broken off: its turn has ended `silent` or `failed`, has gone to somebody else
 * (`reassigned`), the writer has begun another one (`superseded`) or is no member any more (`left`),
 * the channel has `ended`, or no piece has come for long (`quiet`).
 */
export type BreakReason =
  | "silent"
  | "failed"
  | "reassigned"
  | "superseded"
  | "left"
  | "ended"
  | "quiet";
