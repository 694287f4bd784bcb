import { type Clock, formatTimestamp } from "@colloquy/protocol";
import type { Committer } from "../commit/committer.js";

/** What became of a probe. */
export interface ProbeResult {
  /** Why it failed; null when the store has the record. */
  readonly fault: string | null;
  /** Milliseconds; null when it did not end. */
  readonly tookMs: number | null;
}

/** Input of {@link createStoreProbe}. */
export interface StoreProbeOptions {
  readonly clock: Clock;
  readonly committer: Pick<Committer, "stage">;
  readonly timeoutMs: number;
}

/** The record that a probe writes, over and over. */
const RECORD = { kind: "meta", id: "health-probe" } as const;

/**
 * Makes what proves that the store takes commits: it writes one record and waits for it, no longer
 * than `timeoutMs`. A probe that hangs is not followed by another one until it has ended, so that
 * probes do not pile up in front of a store that hangs.
 */
export function createStoreProbe(options: StoreProbeOptions): () => Promise<ProbeResult> {
  const { clock, committer, timeoutMs } = options;
  let running: { readonly startedAt: number; readonly done: Promise<ProbeResult> } | null = null;

  const write = async (startedAt: number): Promise<ProbeResult> => {
    try {
      const value = JSON.stringify({ at: formatTimestamp(startedAt) });
      await committer.stage({ records: [{ ...RECORD, value }] });
      return { fault: null, tookMs: Math.max(0, clock.now() - startedAt) };
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      return { fault, tookMs: Math.max(0, clock.now() - startedAt) };
    } finally {
      running = null;
    }
  };
  const start = (): { readonly startedAt: number; readonly done: Promise<ProbeResult> } => {
    const startedAt = clock.now();
    return { startedAt, done: write(startedAt) };
  };

  return async () => {
    running ??= start();
    const { startedAt, done } = running;
    const left = startedAt + timeoutMs - clock.now();
    const late: ProbeResult = {
      fault: `the store has not committed within ${timeoutMs} ms`,
      tookMs: null,
    };
    if (left <= 0) return late;
    let cancel = (): void => undefined;
    const timeout = new Promise<ProbeResult>((resolve) => {
      const timer = clock.setTimer(left, () => resolve(late));
      cancel = () => timer.cancel();
    });
    const result = await Promise.race([done, timeout]);
    cancel();
    return result;
  };
}
