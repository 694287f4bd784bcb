import { type Envelope, type Logger, logFieldsOf } from "@colloquy/protocol";
import type { HubListener, Listeners } from "./hub-listener.js";

/**
 * Makes an empty set of listeners.
 *
 * A listener that throws, or that is asynchronous against the contract and rejects, is logged by
 * the name of the hook and disturbs neither the hub nor the other listeners. One that is added or
 * removed while a hook runs counts from the next call on. Adding twice is adding once.
 *
 * @param logger - where faults are written
 */
export function createListeners(logger: Logger): Listeners {
  let listeners: readonly HubListener[] = [];
  const logFault = (hook: keyof HubListener, args: readonly unknown[], error: unknown): void => {
    const fault = error instanceof Error ? error.message : String(error);
    logger.error({ hook, ...aboutOf(hook, args), fault }, "a listener failed");
  };
  return {
    get count() {
      return listeners.length;
    },
    add(listener) {
      if (!listeners.includes(listener)) listeners = [...listeners, listener];
    },
    remove(listener) {
      listeners = listeners.filter((other) => other !== listener);
    },
    emit(hook, ...args) {
      for (const listener of listeners) {
        const call = listener[hook] as ((...args: readonly unknown[]) => unknown) | undefined;
        if (call === undefined) continue;
        try {
          const outcome = call.apply(listener, args);
          if (outcome instanceof Promise) outcome.catch((error) => logFault(hook, args, error));
        } catch (error) {
          logFault(hook, args, error);
        }
      }
    },
  };
}

const ABOUT_ENVELOPES: ReadonlySet<keyof HubListener> = new Set([
  ...(["onEnvelopePosted", "onEnvelopeRejected"] as const),
  ...(["onEnvelopeDispatched", "onDispatchFailed"] as const),
]);
const ABOUT_CHANNELS: ReadonlySet<keyof HubListener> = new Set([
  ...(["onChannelEvent", "onExpectationFired"] as const),
]);

/** The envelope or channel that a hook was called about. */
function aboutOf(hook: keyof HubListener, [subject]: readonly unknown[]) {
  if (ABOUT_ENVELOPES.has(hook)) return logFieldsOf(subject as Envelope);
  return ABOUT_CHANNELS.has(hook) ? { channel_id: subject } : {};
}
