import { isClientError } from "../errors.js";

/**
 * Does something again for as long as it fails with the connection. Each new try waits for a
 * connection by itself; the signal ends it, with its reason.
 *
 * @param work - reads only, or does no more when it is done twice
 */
export async function overBreaks<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isBreak(error)) throw error;
    }
  }
}

/** True for what befell the connection, not the request. */
function isBreak(error: unknown): boolean {
  if (!isClientError(error)) return false;
  return error.code === "client/connection_lost" || error.code === "client/timed_out";
}
