/** How a client goes about reconnecting. */
export interface ReconnectOptions {
  /** Upper bound of the first wait, in milliseconds; default 250. */
  readonly baseMs?: number | undefined;
  /** Growth of that bound per failed attempt; default 2. */
  readonly factor?: number | undefined;
  /** Largest bound, in milliseconds; default 30,000. */
  readonly maxMs?: number | undefined;
  /** How long a link must have been up before the count of attempts starts again, in milliseconds; default 10,000. */
  readonly stableAfterMs?: number | undefined;
}

/** {@link ReconnectOptions} with its defaults. */
export type ReconnectPolicy = { readonly [K in keyof ReconnectOptions]-?: number };

/** Fills in the defaults. */
export function reconnectPolicy(options: ReconnectOptions = {}): ReconnectPolicy {
  return {
    baseMs: options.baseMs ?? 250,
    factor: options.factor ?? 2,
    maxMs: options.maxMs ?? 30_000,
    stableAfterMs: options.stableAfterMs ?? 10_000,
  };
}

/**
 * The wait before an attempt: anything up to a bound that grows, so that clients which lost the
 * same hub do not come back together.
 *
 * @param attempt - attempts since the last stable link, from 0
 * @param random - in [0, 1)
 */
export function reconnectDelayMs(policy: ReconnectPolicy, attempt: number, random: number): number {
  const bound = Math.min(policy.maxMs, policy.baseMs * policy.factor ** Math.min(attempt, 64));
  return Math.floor(bound * random);
}

/**
 * The count of attempts after a link has ended: 0 when it was up for long enough, else one more. A
 * hub that takes each connection and drops it at once is therefore asked less and less often.
 */
export function attemptsAfter(policy: ReconnectPolicy, attempts: number, upMs: number): number {
  return upMs >= policy.stableAfterMs ? 0 : attempts + 1;
}
