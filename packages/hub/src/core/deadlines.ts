/**
 * Instants at which something is due, by key. One timer in all, armed for the earliest, so that
 * 10,000 open channels cost 10,000 entries and no sweep.
 */
export interface Deadlines {
  /** Sets or moves the deadline of a key; `run` is called once at or after it. Must not throw. */
  set(key: string, atEpochMs: number, run: () => void): void;
  clear(key: string): void;
  /** Runs everything that is due now; returns how many ran. */
  runDue(): number;
  readonly size: number;
  stop(): void;
}
