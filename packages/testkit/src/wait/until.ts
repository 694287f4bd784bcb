/** Polls on every turn of the event loop for so many polls, then every {@link TICK_MS}. */
const EAGER_POLLS = 100;
const TICK_MS = 2;

/** Options of {@link until}. */
export interface UntilOptions {
  /** Real milliseconds to wait at most; default 5000. */
  readonly timeoutMs?: number;
  /** What is waited for, for the error; a function is called when the time is up. */
  readonly describe?: string | (() => string);
}

/** What {@link until} resolves with: the condition's value without the values that mean "not yet". */
export type Met<T> = Exclude<T, false | null | undefined | 0 | "">;

/**
 * Waits until the condition's value is truthy, and resolves with it.
 *
 * A condition that throws or rejects is not met yet, so that it may contain assertions. Rejects
 * with the description when the time is up; the condition's last error is the `cause`.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 5000, describe = "the condition" }: UntilOptions = {},
): Promise<Met<T>> {
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (let poll = 0; ; poll += 1) {
    try {
      const value = await condition();
      lastError = undefined;
      if (value) return value as Met<T>;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) break;
    await nextPoll(poll);
  }
  const what = typeof describe === "string" ? describe : describe();
  throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`, { cause: lastError });
}

function nextPoll(poll: number): Promise<void> {
  return new Promise((resolve) => {
    if (poll < EAGER_POLLS) setImmediate(resolve);
    else setTimeout(resolve, TICK_MS);
  });
}
