import { describe, expect, it } from "vitest";
import { parseDuration } from "./duration.js";

describe("parseDuration", () => {
  it.each([
    ["30s", 30],
    ["15m", 900],
    ["2h", 7200],
    ["4h", 14_400],
    ["1d", 86_400],
    ["0s", 0],
    [0, 0],
    [3600, 3600],
    ["", 0],
    ["60", 60],
    ["3600", 3600],
  ])("N-132 reads %j as %d seconds", (value, seconds) => {
    expect(parseDuration(value)).toBe(seconds);
  });

  it.each(["abc", "5x", "10y", "fast", "1.5h", "h", "--3"])("N-133 refuses %j", (value) => {
    expect(() => parseDuration(value)).toThrow(TypeError);
  });

  it("refuses a number that is no whole number of seconds", () => {
    expect(() => parseDuration(1.5)).toThrow(TypeError);
    expect(() => parseDuration(Number.NaN)).toThrow(TypeError);
  });
});
