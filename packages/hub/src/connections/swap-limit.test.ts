import { createFakeClock } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createSwapLimit } from "./swap-limit.js";

describe("createSwapLimit", () => {
  it("grants so many a minute to each agent, and tells the wait", () => {
    const clock = createFakeClock();
    const swaps = createSwapLimit(clock, 2);
    expect([swaps.take("a"), swaps.take("a"), swaps.take("b")]).toEqual([0, 0, 0]);
    clock.advance(10_000);
    expect(swaps.take("a")).toBe(50_000);
    expect(swaps.take("b")).toBe(0);
    clock.advance(50_000);
    expect(swaps.take("a")).toBe(0);
  });

  it("forgets old minutes, so that it does not grow with the agents that ever swapped", () => {
    const clock = createFakeClock();
    const swaps = createSwapLimit(clock, 1);
    for (let n = 0; n < 1_024; n += 1) swaps.take(`agent-${n}`);
    clock.advance(60_000);
    swaps.take("one more");
    expect(swaps.take("agent-0")).toBe(0);
    expect(swaps.take("agent-0")).toBeGreaterThan(0);
  });
});
