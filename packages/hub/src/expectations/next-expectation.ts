import type { Expectation } from "@colloquy/protocol";

/** The expectation of a channel that is violated next, unless something happens before. */
export interface NextExpectation {
  readonly expectation: Expectation;
  /** Who will have broken it; empty when it is about the channel as a whole. */
  readonly violator_ids: readonly string[];
  /** What began it: an ISO time, and a position in the WAL (0 is the channel's creation). */
  readonly since: string;
  readonly position: number;
  /** When, as an ISO time. */
  readonly due_at: string;
}
