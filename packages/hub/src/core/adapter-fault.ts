import {
  type Envelope,
  isNetworkError,
  type Logger,
  logFieldsOf,
  NetworkError,
} from "@colloquy/protocol";
import { markGate } from "./gate-mark.js";

/** Which adapter was called, and how, for the log. */
export interface AdapterCall {
  readonly logger: Logger;
  readonly channelId: string;
  readonly method: string;
  /** What it was called for, if that was one envelope. */
  readonly envelope?: Envelope | undefined;
}

/**
 * What a call of an adapter that threw comes to: a refusal is passed on, anything else is a fault
 * of the adapter, which is logged and becomes an `internal` error.
 */
export function adapterFault(
  { logger, channelId, method, envelope }: AdapterCall,
  error: unknown,
): NetworkError {
  if (isNetworkError(error)) return markGate(error, method);
  const about = envelope === undefined ? { channel_id: channelId } : logFieldsOf(envelope);
  logger.error({ err: error, ...about, method }, "a channel adapter has failed");
  const reason = error instanceof Error ? error.message : String(error);
  const fault = new NetworkError(
    `the adapter of channel '${channelId}' failed in ${method}: ${reason}; nothing was changed`,
    "internal",
    { cause: error },
  );
  return markGate(fault, method);
}

/** Calls a method of an adapter; throws as {@link adapterFault} says. */
export function callAdapter<T>(call: AdapterCall, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw adapterFault(call, error);
  }
}
