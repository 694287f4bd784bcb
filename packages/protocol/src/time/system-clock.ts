import type { Clock, Timer } from "../ports/clock.js";

/** Longest delay that one system timer can hold; longer ones are chained. */
const MAX_SYSTEM_TIMER_MS = 2_147_483_647;

/** The machine's own clock. Its timers do not keep a Node process alive when `unref` is true. */
export function createSystemClock(options: { readonly unref?: boolean } = {}): Clock {
  const start = (delayMs: number, callback: () => void): Timer => {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (left: number): void => {
      const slice = Math.min(Math.max(left, 0), MAX_SYSTEM_TIMER_MS);
      handle = setTimeout(() => (left > slice ? arm(left - slice) : callback()), slice);
      if (options.unref === true) unref(handle);
    };
    arm(delayMs);
    return { cancel: () => clearTimeout(handle) };
  };
  return { now: () => Date.now(), setTimer: start };
}

function unref(handle: unknown): void {
  if (typeof handle === "object" && handle !== null && "unref" in handle) {
    const { unref: release } = handle as { unref: unknown };
    if (typeof release === "function") release.call(handle);
  }
}
