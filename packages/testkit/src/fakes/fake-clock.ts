import type { Clock } from "@colloquy/protocol";
import { settle } from "../wait/settle.js";

/** Default start of a fake clock: 2026-01-01T00:00:00Z, in epoch milliseconds. */
export const FAKE_START_MS = 1_767_225_600_000;

/** Timers that one advance may fire before it is taken for an endless loop. */
const MAX_FIRES_PER_ADVANCE = 1_000_000;

/**
 * A clock that moves only when told to.
 *
 * Timers run on elapsed time, as a machine's do: `set` steps the wall clock, in either direction,
 * and fires nothing; `advance` moves both.
 */
export interface FakeClock extends Clock {
  /** How many timers are armed. */
  readonly pendingTimers: number;
  /** Milliseconds until the next timer is due; null when none is armed. */
  readonly nextTimerInMs: number | null;
  /** Steps the wall clock to these epoch milliseconds. Timers keep their remaining delay. */
  set(epochMs: number): void;
  /**
   * Moves time on and fires what falls due, in order of time, then of arming; timers armed on the
   * way included. While a timer runs, `now` is the moment at which it was due. What a callback
   * throws comes out here, and time stands at that moment.
   */
  advance(ms: number): void;
  /**
   * As `advance`, and lets promises and immediates settle before the first timer, after each one
   * and at the end, so that timers armed by them are seen.
   */
  advanceAsync(ms: number): Promise<void>;
}

interface ArmedTimer {
  readonly dueAt: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Makes a {@link FakeClock}; `startMs` is in epoch milliseconds, default {@link FAKE_START_MS}. */
export function createFakeClock(startMs: number = FAKE_START_MS): FakeClock {
  let elapsed = 0;
  let wallOffset = startMs;
  let armed = 0;
  const timers = new Set<ArmedTimer>();

  const nextDue = (until: number): ArmedTimer | null => {
    let first: ArmedTimer | null = null;
    for (const timer of timers) {
      if (timer.dueAt > until) continue;
      if (first === null || timer.dueAt < first.dueAt) first = timer;
      else if (timer.dueAt === first.dueAt && timer.order < first.order) first = timer;
    }
    return first;
  };
  const fire = (timer: ArmedTimer, fired: number): void => {
    if (fired > MAX_FIRES_PER_ADVANCE) {
      throw new Error(`one advance fired ${MAX_FIRES_PER_ADVANCE} timers: a timer re-arms itself`);
    }
    timers.delete(timer);
    elapsed = Math.max(elapsed, timer.dueAt);
    timer.callback();
  };

  return {
    get pendingTimers() {
      return timers.size;
    },
    get nextTimerInMs() {
      const next = nextDue(Number.POSITIVE_INFINITY);
      return next === null ? null : next.dueAt - elapsed;
    },
    now: () => wallOffset + elapsed,
    setTimer(delayMs, callback) {
      armed += 1;
      const timer = { dueAt: elapsed + Math.max(0, delayMs), order: armed, callback };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    set(epochMs) {
      wallOffset = epochMs - elapsed;
    },
    advance(ms) {
      const target = elapsed + checkStep(ms);
      let fired = 0;
      for (let due = nextDue(target); due !== null; due = nextDue(target)) fire(due, ++fired);
      elapsed = Math.max(elapsed, target);
    },
    async advanceAsync(ms) {
      const target = elapsed + checkStep(ms);
      let fired = 0;
      await settle();
      for (let due = nextDue(target); due !== null; due = nextDue(target)) {
        fire(due, ++fired);
        await settle();
      }
      elapsed = Math.max(elapsed, target);
      await settle();
    },
  };
}

function checkStep(ms: number): number {
  if (Number.isFinite(ms) && ms >= 0) return ms;
  throw new RangeError(`advance takes milliseconds of 0 or more, got ${ms}; use set to step back`);
}
