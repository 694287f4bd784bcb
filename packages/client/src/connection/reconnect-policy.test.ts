import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attemptsAfter, reconnectDelayMs, reconnectPolicy } from "./reconnect-policy.js";

const policy = reconnectPolicy();

describe("reconnectDelayMs", () => {
  it("has a bound that doubles from 250 ms up to 30 s", () => {
    const bounds = [0, 1, 2, 6, 7, 50].map((attempt) => reconnectDelayMs(policy, attempt, 1));
    expect(bounds).toEqual([250, 500, 1000, 16_000, 30_000, 30_000]);
  });

  it("is spread over everything below its bound", () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, dice) => {
          const delay = reconnectDelayMs(policy, attempt, dice);
          const bound = reconnectDelayMs(policy, attempt, 1);
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThan(Math.max(1, bound));
          expect(delay).toBe(Math.floor(bound * dice));
        },
      ),
    );
  });

  it("takes other figures", () => {
    const slow = reconnectPolicy({ baseMs: 100, factor: 3, maxMs: 500 });
    expect([0, 1, 2].map((attempt) => reconnectDelayMs(slow, attempt, 1))).toEqual([100, 300, 500]);
  });
});

describe("attemptsAfter", () => {
  it("starts again only after a link that was up for long enough", () => {
    expect(attemptsAfter(policy, 4, 9_999)).toBe(5);
    expect(attemptsAfter(policy, 4, 10_000)).toBe(0);
  });
});
