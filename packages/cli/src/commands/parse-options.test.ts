import { expect, it } from "vitest";
import { parseCount, parseSince } from "./parse-options.js";

it("reads whole numbers and refuses anything else", () => {
  expect(parseCount("0")).toBe(0);
  expect(parseCount("1000")).toBe(1000);
  for (const text of ["", "-1", "1.5", "1e3", "abc"]) {
    expect(() => parseCount(text)).toThrow("whole number");
  }
});

it("reads durations back from now, and timestamps", () => {
  const now = Date.parse("2026-01-01T12:00:00Z");
  expect(parseSince("10m")(now)).toBe(now - 600_000);
  expect(parseSince("2h")(now)).toBe(now - 7_200_000);
  expect(parseSince("2026-01-01T10:00:00Z")(now)).toBe(now - 7_200_000);
  for (const text of ["", "10", "yesterday", "2026-99-99"]) {
    expect(() => parseSince(text)).toThrow("such as 10m");
  }
});
