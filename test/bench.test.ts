import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readOptions } from "./bench/options.js";
import { formatBudget, formatRange, formatValue } from "./bench/report/format.js";
import { atLeast, atMost, createMeasurement } from "./bench/report/measurement.js";
import { NOT_MEASURED, type Report } from "./bench/report/report.js";
import { median, quantile, ratios, spread } from "./bench/report/statistics.js";
import { renderReport } from "./bench/report/table.js";
import { interleave } from "./bench/rows/interleave.js";
import { ROOT } from "./source-files.js";

const run = promisify(execFile);

describe("statistics of the benchmark", () => {
  it("takes the middle value, or the mean of the two in the middle, whatever the order", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  it("interpolates a quantile between neighbours", () => {
    const values = [50, 10, 30, 20, 40];
    expect(quantile(values, 0)).toBe(10);
    expect(quantile(values, 1)).toBe(50);
    expect(quantile(values, 0.99)).toBeCloseTo(49.6);
  });

  it("sums a series up", () => {
    expect(spread([3, 1, 2, 10])).toEqual({ median: 2.5, min: 1, max: 10, count: 4 });
  });

  it("divides round by round", () => {
    expect(ratios([10, 30], [20, 10])).toEqual([0.5, 3]);
  });

  it("refuses what has no answer", () => {
    expect(() => median([])).toThrow(RangeError);
    expect(() => quantile([1], 2)).toThrow("share: received 2");
    expect(() => quantile([1], Number.NaN)).toThrow(RangeError);
    expect(() => ratios([1, 2], [1])).toThrow("2 rounds cannot be divided by 1");
    expect(() => ratios([1], [0])).toThrow("round 1: cannot divide by 0");
  });

  it("lets both sides run in every round, takes turns in going first, and throws the first round away", async () => {
    const order: string[] = [];
    let count = 0;
    const side = (name: string) => async () => {
      order.push(name);
      count += 1;
      return count;
    };
    const context = { rounds: 2, progress: () => undefined };
    const sides = await interleave(context, side("a"), side("b"));
    expect(order).toEqual(["a", "b", "b", "a", "a", "b"]);
    expect(sides).toEqual({ left: [4, 5], right: [3, 6] });
  });
});

describe("the report", () => {
  it("prints numbers in as many digits as they are worth", () => {
    expect(formatValue(0.34567, "ratio")).toBe("0.35");
    expect(formatValue(12_345.6, "per second")).toBe("12,346/s");
    expect(formatValue(3_500, "bytes")).toBe("3.42 KiB");
    expect(formatValue(300 * 1024 * 1024, "bytes")).toBe("300 MiB");
    expect(formatRange({ median: 2, min: 1, max: 30, count: 3 }, "µs")).toBe("1.00 µs–30.0 µs");
    expect(formatBudget(atLeast(0.35), "ratio")).toBe("≥ 0.35");
    expect(formatBudget(atMost(4096), "bytes")).toBe("≤ 4.00 KiB");
    expect(formatBudget(null, "ratio")).toBe("–");
  });

  it("puts the budget beside the median without judging it", () => {
    const text = renderReport(reportOf([0.1, 0.3, 0.2]));
    expect(text).toMatch(/^some-row +a thing ÷ another +0\.20 +0\.10–0\.30 +3 +≥ 0\.35$/m);
    expect(text).toContain("  how much: 6.00 µs (5.00 µs–7.00 µs)");
    expect(text).toContain("other-row broke off: the disk is full");
    for (const { title } of NOT_MEASURED) expect(text).toContain(title);
    expect(text).not.toMatch(/pass|fail|✓|✗/i);
  });
});

function reportOf(rounds: readonly number[]): Report {
  return {
    at: "2026-01-01T00:00:00.000Z",
    machine: { cores: 2, processor: "some", memoryBytes: 1, system: "some", node: "v20" },
    rounds: rounds.length,
    quick: false,
    tookSeconds: 1,
    measurements: [
      createMeasurement("some-row", {
        title: "a thing ÷ another",
        unit: "ratio",
        rounds,
        budget: atLeast(0.35),
        details: [["how much", "µs", [5, 6, 7]]],
      }),
    ],
    failures: [{ row: "other-row", error: "the disk is full" }],
    notMeasured: NOT_MEASURED,
  };
}

describe("the command line", () => {
  const known = ["one", "two"];

  it("runs everything in nine rounds unless told otherwise", () => {
    expect(readOptions([], known)).toMatchObject({ only: [], rounds: 9, quick: false });
    expect(readOptions(["--quick"], known)).toMatchObject({ rounds: 1, quick: true });
    expect(readOptions(["--only", "one,two", "--rounds", "3"], known)).toMatchObject({
      only: ["one", "two"],
      rounds: 3,
    });
  });

  it("names what is wrong", () => {
    expect(() => readOptions(["--only", "three"], known)).toThrow('no row "three"');
    expect(() => readOptions(["--rounds", "0"], known)).toThrow("--rounds takes a whole number");
    expect(() => readOptions(["--fast"], known)).toThrow("--fast");
  });

  it("measures a row, prints its table and writes JSON", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bench-test-"));
    try {
      const json = join(folder, "deep", "report.json");
      const flags = ["--import", "tsx", "--conditions=@colloquy/source", "test/bench/main.ts"];
      const asked = ["--quick", "--only", "admission", "--json", json, "--folder", folder];
      const { stdout } = await run(process.execPath, [...flags, ...asked], { cwd: ROOT });
      expect(stdout).toContain("admission in process, memory store");
      const report = JSON.parse(readFileSync(json, "utf8")) as Report;
      expect(report).toMatchObject({ quick: true, rounds: 1, failures: [] });
      expect(report.measurements.length).toBe(2);
      for (const { row, unit, spread: found, budget } of report.measurements) {
        expect({ row, unit, budget }).toEqual({
          row: "admission",
          unit: "per second",
          budget: null,
        });
        expect(found.count).toBe(1);
        expect(found.median).toBeGreaterThan(0);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
