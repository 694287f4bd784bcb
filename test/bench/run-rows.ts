import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BenchOptions } from "./options.js";
import { createMeasurement, type Measurement } from "./report/measurement.js";
import type { Report } from "./report/report.js";
import type { Row, RowContext } from "./rows/row.js";

/** What came of the rows; a row that breaks off does not keep the others from running. */
export type RowsOutcome = Pick<Report, "measurements" | "failures">;

/** Runs rows one after the other, each with an empty folder of its own. */
export async function runRows(
  rows: readonly Row[],
  options: BenchOptions,
  progress: (text: string) => void,
): Promise<RowsOutcome> {
  const measurements: Measurement[] = [];
  const failures: { row: string; error: string }[] = [];
  mkdirSync(options.folder, { recursive: true });
  for (const row of rows) {
    const folder = mkdtempSync(join(options.folder, `${row.id}-`));
    const context: RowContext = {
      rounds: options.rounds,
      quick: options.quick,
      folder,
      keptFolder: join(options.folder, "kept"),
      flags: options.profile === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profile}`],
      progress: (text) => progress(`${row.id}: ${text}`),
    };
    try {
      const found = await row.run(context);
      measurements.push(...found.map((input) => createMeasurement(row.id, input)));
    } catch (error) {
      failures.push({ row: row.id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { measurements, failures };
}
