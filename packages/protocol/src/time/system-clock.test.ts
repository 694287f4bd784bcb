import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "./system-clock.js";

describe("createSystemClock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("holds a timer of 40 days without firing early or spinning", () => {
    const fired = vi.fn();
    const day = 86_400_000;
    createSystemClock().setTimer(40 * day, fired);
    vi.advanceTimersByTime(39 * day);
    expect(fired).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(day);
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("does not fire after cancel", () => {
    const fired = vi.fn();
    const timer = createSystemClock({ unref: true }).setTimer(10, fired);
    timer.cancel();
    vi.advanceTimersByTime(100);
    expect(fired).not.toHaveBeenCalled();
  });
});
