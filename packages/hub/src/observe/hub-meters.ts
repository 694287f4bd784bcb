/**
 * Where a hub reports what neither its listeners nor its health show. `createHubMeters` of
 * `@colloquy/telemetry` is one.
 *
 * Called on hot paths, so it must be quick. A throw is logged and hurts nobody. Times are in milliseconds.
 */
export interface HubMeters {
  /**
   * A commit of so many envelopes begins; 0 when it writes only other records.
   *
   * @returns called when it has ended
   */
  startCommit(envelopes: number): (failed: boolean) => void;
  /**
   * An envelope was handed to a recipient's connection.
   *
   * @param attempt - how often it has been by now; more than 1 is a redelivery
   * @param lagMs - time since its admission
   */
  handedOver(attempt: number, lagMs: number): void;
  /** A recipient has acknowledged an envelope, so long after its admission. */
  acknowledged(lagMs: number): void;
  /** An answer was admitted, so long after the envelope that it answers. */
  answered(turnMs: number): void;
}
