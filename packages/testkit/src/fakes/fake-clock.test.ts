import { describe, expect, it } from "vitest";
import { createFakeClock, FAKE_START_MS } from "./fake-clock.js";

describe("createFakeClock", () => {
  it("starts at the fixed moment and stands still", () => {
    const clock = createFakeClock();
    expect(clock.now()).toBe(FAKE_START_MS);
    expect(clock.now()).toBe(FAKE_START_MS);
  });

  it("fires due timers by time, then by arming, each at its own moment", () => {
    const clock = createFakeClock(1000);
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.now()}`);
    clock.setTimer(30, note("c"));
    clock.setTimer(10, note("a"));
    clock.setTimer(10, note("b"));
    clock.setTimer(31, note("late"));
    expect(clock.nextTimerInMs).toBe(10);
    clock.advance(30);
    expect(fired).toEqual(["a@1010", "b@1010", "c@1030"]);
    expect(clock.now()).toBe(1030);
    expect(clock.pendingTimers).toBe(1);
  });

  it("fires timers that timers arm on the way", () => {
    const clock = createFakeClock(0);
    const fired: number[] = [];
    const tick = (): void => {
      fired.push(clock.now());
      clock.setTimer(10, tick);
    };
    clock.setTimer(10, tick);
    clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
    expect(clock.nextTimerInMs).toBe(5);
  });

  it("does not fire a cancelled timer, and cancelling twice is harmless", () => {
    const clock = createFakeClock(0);
    let fired = 0;
    const timer = clock.setTimer(1, () => {
      fired += 1;
    });
    timer.cancel();
    timer.cancel();
    clock.advance(5);
    expect(fired).toBe(0);
    expect(clock.nextTimerInMs).toBeNull();
  });

  it("steps the wall clock without touching timers", () => {
    const clock = createFakeClock(5000);
    let firedAt = -1;
    clock.setTimer(100, () => {
      firedAt = clock.now();
    });
    clock.set(1000);
    expect(clock.now()).toBe(1000);
    clock.advance(99);
    expect(firedAt).toBe(-1);
    clock.advance(1);
    expect(firedAt).toBe(1100);
  });

  it("lets promises and immediates arm timers between timers", async () => {
    const clock = createFakeClock(0);
    const fired: string[] = [];
    clock.setTimer(10, () => {
      fired.push("first");
      void Promise.resolve().then(() =>
        setImmediate(() => clock.setTimer(5, () => fired.push(`second@${clock.now()}`))),
      );
    });
    clock.setTimer(20, () => fired.push("third"));
    await clock.advanceAsync(20);
    expect(fired).toEqual(["first", "second@15", "third"]);
    expect(clock.now()).toBe(20);
  });

  it("refuses to advance backwards", () => {
    expect(() => createFakeClock().advance(-1)).toThrow(RangeError);
    expect(() => createFakeClock().advance(Number.NaN)).toThrow(RangeError);
  });

  it("stands at the moment of a callback that throws", () => {
    const clock = createFakeClock(0);
    clock.setTimer(3, () => {
      throw new Error("boom");
    });
    expect(() => clock.advance(10)).toThrow("boom");
    expect(clock.now()).toBe(3);
  });
});
