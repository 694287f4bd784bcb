import { parseWith } from "@colloquy/protocol";
import * as z from "zod";
import { retryAfterMs } from "./retry-after.js";

/**
 * How often and when a model that failed is asked again.
 *
 * That is done after the statuses 429 and 5xx, after a connection that was refused or broke, and
 * after an answer that broke off.
 */
export interface RetryConfig {
  /** How often after the first time; default 3. 0 switches it off. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds before the first repeat, doubled for each further one; default 5,000. */
  readonly baseDelayMs?: number | undefined;
  /** Most milliseconds of one wait, also of one that the server asks for; default 300,000. */
  readonly maxDelayMs?: number | undefined;
  /** Default true: what the server says in `Retry-After` counts in place of the doubling delay. */
  readonly respectRetryAfter?: boolean | undefined;
}

/** A {@link RetryConfig} with its defaults. */
export type RetryPolicy = { readonly [K in keyof RetryConfig]-?: NonNullable<RetryConfig[K]> };

const retryConfigSchema = z.strictObject({
  maxRetries: z.int().min(0).default(3),
  baseDelayMs: z.number().min(0).default(5_000),
  maxDelayMs: z.number().min(0).default(300_000),
  respectRetryAfter: z.boolean().default(true),
});

/**
 * Checks a configuration and fills in the defaults.
 *
 * @throws InvalidInputError that names the field
 */
export function retryPolicy(config: RetryConfig = {}): RetryPolicy {
  return parseWith(retryConfigSchema, config, "option retry");
}

/**
 * Milliseconds to wait before a model is asked again: what the server asks for, else
 * `baseDelayMs` × 2^`retriesSoFar`; never above `maxDelayMs`.
 *
 * @param retriesSoFar - 0 before the first repeat
 * @param headers - of the failed answer, in any case of letters
 * @param nowMs - epoch milliseconds, for a `Retry-After` that is a date
 */
export function retryDelayMs(
  { baseDelayMs, maxDelayMs, respectRetryAfter }: RetryPolicy,
  retriesSoFar: number,
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): number {
  const asked = respectRetryAfter ? retryAfterMs(headers, nowMs) : null;
  return Math.min(asked ?? baseDelayMs * 2 ** retriesSoFar, maxDelayMs);
}
