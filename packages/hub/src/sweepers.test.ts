import { createFakeClock, createRecordingLogger, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createDeadlines } from "./core/deadline-heap.js";
import { createSweepers } from "./sweepers.js";

function open() {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const deadlines = createDeadlines(clock);
  return { clock, logger, deadlines, sweepers: createSweepers({ clock, logger, deadlines }) };
}

describe("sweepers", () => {
  it("N-258 run every interval until they are unregistered", async () => {
    const { clock, deadlines, sweepers } = open();
    let ticks = 0;
    sweepers.register("mine", 50, () => {
      ticks += 1;
    });
    expect(ticks).toBe(0);
    await clock.advanceAsync(160);
    expect(ticks).toBeGreaterThanOrEqual(2);
    const before = ticks;
    expect(await sweepers.unregister("mine")).toBe(true);
    await clock.advanceAsync(120);
    expect(ticks - before).toBeLessThanOrEqual(1);
    expect(deadlines.size).toBe(0);
    expect(await sweepers.unregister("mine")).toBe(false);
  });

  it("N-259 refuse a name that is registered, and what is no interval", () => {
    const { sweepers } = open();
    const idle = () => undefined;
    sweepers.register("mine", 50, idle);
    expect(() => sweepers.register("mine", 50, idle)).toThrow(TypeError);
    expect(() => sweepers.register("mine", 50, idle)).toThrow("already registered");
    for (const interval of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => sweepers.register("other", interval, idle)).toThrow("intervalMs");
    }
    expect(() => sweepers.register("", 50, idle)).toThrow("name");
  });

  it("go on after a failure, which is logged", async () => {
    const { clock, logger, sweepers } = open();
    let ticks = 0;
    sweepers.register("mine", 10, () => {
      ticks += 1;
      throw new Error("broom broke");
    });
    await clock.advanceAsync(35);
    expect(ticks).toBe(3);
    expect(logger.at("error")).toHaveLength(3);
    expect(logger.at("error")[0]?.fields).toMatchObject({ sweeper: "mine" });
  });

  it("never overlap; unregister and stop wait for the run under way", async () => {
    const { clock, sweepers } = open();
    let ticks = 0;
    let finish = (): void => undefined;
    sweepers.register("slow", 10, () => {
      ticks += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    await clock.advanceAsync(100);
    expect(ticks).toBe(1);
    let stopped = false;
    const stopping = sweepers.stop().then(() => {
      stopped = true;
    });
    await clock.advanceAsync(10);
    expect(stopped).toBe(false);
    finish();
    await until(() => stopped);
    await stopping;
    await clock.advanceAsync(100);
    expect(ticks).toBe(1);
    expect(() => sweepers.register("late", 10, () => undefined)).toThrow("closed");
  });
});
