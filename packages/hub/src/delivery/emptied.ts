import type { DeliveryRecord } from "@colloquy/protocol";

/** What was given up of an inbox, and how the ledgers stand after it. */
export interface Emptied {
  readonly dropped: number;
  /** To be made durable. */
  readonly records: readonly DeliveryRecord[];
}
