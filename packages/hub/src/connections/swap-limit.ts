import type { Clock } from "@colloquy/protocol";

/** Counts how often agents move from one live connection to another. */
export interface SwapLimit {
  /** Takes one swap from the agent's allowance; returns the wait in milliseconds, 0 when it is granted. */
  take(agentId: string): number;
}

interface Window {
  startedAt: number;
  swaps: number;
}

const MINUTE_MS = 60_000;
/** Windows that are kept before old ones are swept out. */
const SWEEP_AT = 1_024;

/**
 * Makes a limit of so many swaps per agent and minute, so that two processes that throw each other
 * out do not do so without end.
 */
export function createSwapLimit(clock: Clock, perMinute: number): SwapLimit {
  const windows = new Map<string, Window>();
  const sweep = (now: number): void => {
    for (const [agentId, { startedAt }] of windows) {
      if (now - startedAt >= MINUTE_MS) windows.delete(agentId);
    }
  };
  return {
    take(agentId) {
      const now = clock.now();
      const known = windows.get(agentId);
      if (known === undefined || now - known.startedAt >= MINUTE_MS) {
        if (windows.size >= SWEEP_AT) sweep(now);
        windows.set(agentId, { startedAt: now, swaps: 1 });
        return 0;
      }
      if (known.swaps >= perMinute) return Math.max(1, known.startedAt + MINUTE_MS - now);
      known.swaps += 1;
      return 0;
    },
  };
}
