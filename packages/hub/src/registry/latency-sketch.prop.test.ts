import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addLatency,
  EMPTY_SKETCH,
  type LatencySketch,
  mergeSketches,
  quantileOf,
  SKETCH_ERROR,
} from "./latency-sketch.js";

const YEAR_MS = 366 * 86_400_000;
const latency = fc.oneof(
  fc.nat(50),
  fc.integer({ min: 0, max: 10_000 }),
  fc.double({ min: 0, max: YEAR_MS, noNaN: true }),
);
const latencies = fc.array(latency, { minLength: 1, maxLength: 200 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

const sketchOf = (values: readonly number[]): LatencySketch =>
  values.reduce(addLatency, EMPTY_SKETCH);

/** The value of that rank, by sorting. */
function exact(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.min(Math.max(Math.ceil(at * sorted.length), 1), sorted.length);
  return sorted[rank - 1] ?? Number.NaN;
}

describe("a latency sketch", () => {
  it("is within two per cent, or half a millisecond, of the exact quantile", () => {
    void fc.assert(
      fc.property(latencies, share, (values, at) => {
        const wanted = exact(values, at);
        const got = quantileOf(sketchOf(values), at) ?? Number.NaN;
        expect(Math.abs(got - wanted)).toBeLessThanOrEqual(wanted * SKETCH_ERROR * 1.001 + 1);
      }),
    );
  });

  it("is the same however it was made: in another order, merged from parts, read back from JSON", () => {
    void fc.assert(
      fc.property(latencies, fc.nat(), (values, cut) => {
        const whole = sketchOf(values);
        const at = cut % (values.length + 1);
        const parts = mergeSketches(sketchOf(values.slice(at)), sketchOf(values.slice(0, at)));
        expect(parts).toEqual(whole);
        expect(sketchOf([...values].reverse())).toEqual(whole);
        expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
      }),
    );
  });

  it("knows one latency, the least and the greatest exactly, and nothing of none", () => {
    expect(quantileOf(EMPTY_SKETCH, 0.5)).toBeNull();
    expect(quantileOf(sketchOf([420]), 0.5)).toBe(420);
    const many = sketchOf(Array.from({ length: 1_001 }, (_, n) => n * 3));
    expect([quantileOf(many, 0), quantileOf(many, 1)]).toEqual([0, 3_000]);
    expect(quantileOf(many, 0.5)).toBeGreaterThan(1_500 * 0.98);
    expect(quantileOf(many, 0.5)).toBeLessThan(1_500 * 1.02);
    expect(quantileOf(many, 0.95)).toBeGreaterThan(2_850 * 0.98);
  });

  it("stays small whatever is given, odd latencies included", () => {
    const wide = sketchOf(Array.from({ length: 3_000 }, (_, n) => 1.009 ** n));
    expect(wide.buckets.length).toBeLessThan(650);
    expect(JSON.stringify(wide).length).toBeLessThan(8_000);
    const odd = sketchOf([-5, 1e300]);
    expect([odd.min, odd.max]).toEqual([0, YEAR_MS]);
  });
});
