/** A timer that is running. */
export interface Timer {
  /** Stops it; harmless when it has fired. */
  cancel(): void;
}

/**
 * The only source of time. The hub, the client and their tests see no other; a fake one makes a
 * whole network deterministic.
 */
export interface Clock {
  /** Epoch milliseconds. May step backwards when a machine's clock is set. */
  now(): number;
  /** Calls back once after the delay, which may be longer than any single system timer. */
  setTimer(delayMs: number, callback: () => void): Timer;
}
