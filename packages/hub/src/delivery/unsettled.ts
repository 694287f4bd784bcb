import type { Envelope } from "@colloquy/protocol";
import type { AddressChange } from "./address-change.js";

/**
 * A stored envelope as far as delivery needs it to account for it: judged, and without its content,
 * so that any number of them fits into memory.
 */
export interface Unsettled {
  readonly position: number;
  /** What it changes of who is spoken to; null for most. */
  readonly change: AddressChange | null;
  /** With empty `event_data`; null when it cannot be read. */
  readonly envelope: Envelope | null;
  /** Those whom it is for and who are not kept from it. */
  readonly recipients: readonly string[];
  /** Those whom it is for and whom the dispatch gate keeps from it. */
  readonly refused: readonly string[];
}
