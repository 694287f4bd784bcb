import { RateLimitedError, type Rule } from "@colloquy/protocol";
import { ALLOW, type RateRequest, type Verdict } from "./arbiter.js";

const MINUTE_MS = 60_000;
/** Sums of fractions of envelopes are off by less. */
const TOLERANCE = 1e-6;

/** How many envelopes a rule lets through at once: `burst`, or a minute's worth when it is 0 or less. */
export function burstOf({ limits }: Rule): number {
  const { per_minute, burst } = limits.rate;
  return burst > 0 ? burst : per_minute;
}

/**
 * The gate of `limits.rate`: refuses with `RateLimitedError` and the wait in milliseconds after which
 * the same envelope is let through, if nothing else is sent meanwhile. `per_minute` of 0 or less
 * switches it off.
 */
export function judgeRate({ sender, used }: RateRequest): Verdict {
  const { per_minute } = sender.rule.limits.rate;
  if (per_minute <= 0) return ALLOW;
  const burst = burstOf(sender.rule);
  const excess = used + 1 - burst;
  if (excess <= TOLERANCE) return ALLOW;
  const waitMs = Math.max(1, Math.ceil((excess * MINUTE_MS) / per_minute));
  const allowance = `${per_minute} a minute, ${burst} at once`;
  return {
    allow: false,
    reason: `sender '${sender.passport.name}' exceeded rate (${allowance}); retry in ${waitMs} ms`,
    error: (reason) => new RateLimitedError(reason, waitMs),
  };
}
