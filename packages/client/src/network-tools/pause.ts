import type { Clock } from "@colloquy/protocol";

/** Resolves after so many milliseconds, or rejects with the signal's reason when it is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      timer.cancel();
      reject(signal.reason);
    };
    const timer = clock.setTimer(ms, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    return signal.addEventListener("abort", onAbort, { once: true });
  });
}
