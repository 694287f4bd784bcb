import { inspect, isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/**
 * Expects two values of plain JSON to be the same, own property by own property. Keys such as
 * `constructor` are data here and nothing else.
 */
export function expectSame(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const shown = [actual, expected].map((value) => inspect(value, { depth: 10, sorted: true }));
  expect(shown[0], "the two values differ").toBe(shown[1]);
  expect.unreachable("the two values print alike and differ");
}

/** Expects a value to be plain JSON: what is written and read back is the same. */
export function expectJson(value: unknown): void {
  expectSame(JSON.parse(JSON.stringify(value)), value);
}
