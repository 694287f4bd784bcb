import { ApiError } from "./api-error.js";

/** Lets one through at a time, in the order of coming. */
export interface Turnstile {
  /**
   * Runs work when all that came before has ended. Rejects with status 429 when too many wait, and
   * with the signal's reason when that is aborted before the work has begun.
   */
  pass<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Lets nobody else in and resolves when all within have ended. */
  close(): Promise<void>;
}

/** @param maxWaiting - most that wait, beside the one who is through */
export function createTurnstile(maxWaiting: number): Turnstile {
  let within = 0;
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();
  const leave = (): void => {
    within -= 1;
  };
  return {
    pass(work, signal) {
      if (isClosed) return Promise.reject(new ApiError(503, "The server is ending."));
      if (within > maxWaiting) {
        const message = `${maxWaiting} requests wait already. Ask again in a second.`;
        return Promise.reject(new ApiError(429, message, { code: "rate_limit_exceeded" }));
      }
      within += 1;
      const passed = last.then(() => {
        signal.throwIfAborted();
        return work();
      });
      last = passed.then(leave, leave);
      return passed;
    },
    async close() {
      isClosed = true;
      await last;
    },
  };
}
