import {
  type ChannelAdapter,
  type Clock,
  type IdSource,
  type Logger,
  MAX_AUDIENCE,
  type SecretSource,
  type Store,
} from "@colloquy/protocol";
import type { Authenticator } from "../auth/auth-registry.js";
import { DEFAULT_HUB_LIMITS, type HubLimits, leastLimit } from "../core/hub-limits.js";
import type { ExpectationEvaluator } from "../expectations/evaluator.js";
import type { ViolationHandler } from "../expectations/handler.js";
import type { AuditLog } from "../observe/audit-log.js";
import type { HubListener } from "../observe/hub-listener.js";
import type { HubMeters } from "../observe/hub-meters.js";
import type { HubTracing } from "../observe/hub-tracing.js";
import type { Arbiter } from "../policy/arbiter.js";

/** Input of `openHub`. */
export interface HubOptions {
  /** Where everything durable lives. The hub closes it when it closes. */
  readonly store: Store;
  /** Channel types; default: none. A channel of a type that is missing stays readable and nothing more. */
  readonly adapters?: readonly ChannelAdapter[] | undefined;
  /**
   * Authentication schemes; default: scheme `none` alone. The scheme `api_key` over the hub's own
   * keys is always there beside them; one of that name here is asked for what is none of them.
   */
  readonly authenticators?: readonly Authenticator[] | undefined;
  /**
   * True: every program on this machine is an operator without showing a credential. Default false.
   */
  readonly operatorOnLoopback?: boolean | undefined;
  /** Decides on requests; default: the rule arbiter, which holds every agent to its rule. */
  readonly arbiter?: Arbiter | undefined;
  /** Evaluators beside the built-in ones; what manifests name must be here. */
  readonly expectationEvaluators?: readonly ExpectationEvaluator[] | undefined;
  /** Violation handlers beside the built-in ones. */
  readonly violationHandlers?: readonly ViolationHandler[] | undefined;
  /** Default: the machine's clock. Its timers do not keep a process alive. */
  readonly clock?: Clock | undefined;
  /** Default: ids from the clock and a secure random source. */
  readonly ids?: IdSource | undefined;
  /** Default: the platform's secure random numbers. */
  readonly secrets?: SecretSource | undefined;
  /** Default: says nothing. */
  readonly logger?: Logger | undefined;
  /** Bounds that differ from {@link DEFAULT_HUB_LIMITS}. */
  readonly limits?: Partial<HubLimits> | undefined;
  /** Where the audit log is kept; default: in the store. One of your own gets registrations after their commit, not with it. */
  readonly audit?: AuditLog | undefined;
  /** Watchers, beside the audit log. */
  readonly listeners?: readonly HubListener[] | undefined;
  /** Where the ways of envelopes are traced; default: nowhere. Counts as a listener. */
  readonly tracing?: HubTracing | undefined;
  /** Where commits, deliveries and turns are measured; default: nowhere. */
  readonly meters?: HubMeters | undefined;
}

/**
 * Completes limits with their defaults.
 *
 * @throws TypeError for a limit that is unknown, no whole number from its least value up, or beyond what envelopes can say
 */
export function completeLimits(given: Partial<HubLimits> = {}): HubLimits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULT_HUB_LIMITS, name)) {
      const known = Object.keys(DEFAULT_HUB_LIMITS).join(", ");
      throw new TypeError(`there is no limit '${name}'; there are ${known}`);
    }
    const least = leastLimit(name as keyof HubLimits);
    if (value === undefined || (Number.isSafeInteger(value) && value >= least)) continue;
    throw new TypeError(`limit ${name} must be a whole number from ${least} up, got ${value}`);
  }
  // A notice to everybody names everybody.
  if ((given.maxParticipants ?? 0) > MAX_AUDIENCE) {
    throw new TypeError(
      `limit maxParticipants must be at most ${MAX_AUDIENCE}, got ${given.maxParticipants}`,
    );
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_HUB_LIMITS, ...Object.fromEntries(set) };
}
