import { isNetworkError, type Logger, NetworkError } from "@colloquy/protocol";

/** Which adapter was called, and how, for the log. */
export interface AdapterCall {
  readonly logger: Logger;
  readonly channelId: string;
  readonly method: string;
}

/**
 * Calls a method of an adapter. What it refuses with passes; anything else that it throws is a
 * fault of the adapter, which is logged and becomes an `internal` error.
 */
export function callAdapter<T>({ logger, channelId, method }: AdapterCall, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (isNetworkError(error)) throw error;
    logger.error({ err: error, channel_id: channelId, method }, "a channel adapter has failed");
    const reason = error instanceof Error ? error.message : String(error);
    throw new NetworkError(
      `the adapter of channel '${channelId}' failed in ${method}: ${reason}; nothing was changed`,
      "internal",
      { cause: error },
    );
  }
}
