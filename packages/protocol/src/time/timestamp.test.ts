import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp, parseTimestamp } from "./timestamp.js";

const instants = fc.integer({ min: 0, max: 4_102_444_800_000 });

describe("formatTimestamp", () => {
  it("writes microseconds and the offset", () => {
    expect(formatTimestamp(1_784_062_549_123.456)).toMatch(
      /^2026-07-14T\d\d:\d\d:49\.12345\d\+00:00$/,
    );
    expect(formatTimestamp(0)).toBe("1970-01-01T00:00:00.000000+00:00");
  });

  it("sorts as text in the order of time", () => {
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        expect(formatTimestamp(a) < formatTimestamp(b)).toBe(a < b);
      }),
    );
  });

  it("reads back what it wrote", () => {
    fc.assert(
      fc.property(instants, (ms) => {
        expect(parseTimestamp(formatTimestamp(ms))).toBe(ms);
      }),
    );
  });

  it("says null for text that is no time", () => {
    expect(parseTimestamp("soon")).toBeNull();
  });
});
