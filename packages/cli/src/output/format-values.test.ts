import { expect, it } from "vitest";
import { countOf, formatBytes, formatCount, formatInstant } from "./format-values.js";

it("gives bytes in the unit that fits", () => {
  expect([0, 1023, 1024, 1_572_864, 5 * 1024 ** 3].map(formatBytes)).toEqual([
    "0 B",
    "1023 B",
    "1.0 KiB",
    "1.5 MiB",
    "5.0 GiB",
  ]);
});

it("groups digits and counts things", () => {
  expect(formatCount(1_234_567)).toBe("1,234,567");
  expect([countOf(0, "line"), countOf(1, "line"), countOf(2_000, "line")]).toEqual([
    "0 lines",
    "1 line",
    "2,000 lines",
  ]);
});

it("shows instants in UTC, and escapes what is none", () => {
  expect(formatInstant("2026-01-01T01:02:03.456000+01:00")).toBe("2026-01-01 00:02:03.456Z");
  expect(formatInstant("")).toBe("-");
  expect(formatInstant("\u001b[2J")).toBe("\\u{1b}[2J");
});
