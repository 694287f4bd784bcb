import type { Envelope } from "@colloquy/protocol";

/**
 * A stored envelope as far as delivery needs it to account for it: judged, and without its content,
 * so that any number of them fits into memory.
 */
export interface Unsettled {
  readonly position: number;
  /** With empty `event_data`; null when it cannot be read. */
  readonly envelope: Envelope | null;
  /** Those whom it is for and who are not kept from it. */
  readonly recipients: readonly string[];
  /** Those whom it is for and whom the dispatch gate keeps from it. */
  readonly refused: readonly string[];
}
