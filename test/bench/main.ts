import { readOptions, USAGE } from "./options.js";
import { describeMachine } from "./report/machine.js";
import { NOT_MEASURED, type Report } from "./report/report.js";
import { saveReport } from "./report/save-report.js";
import { renderReport } from "./report/table.js";
import { ALL_ROWS } from "./rows/all-rows.js";
import { runRows } from "./run-rows.js";

/** Measures, prints a table and writes JSON. Exit code 1 means that a row broke off, never that it was slow. */
async function main(): Promise<void> {
  const options = readOptions(
    process.argv.slice(2),
    ALL_ROWS.map(({ id }) => id),
  );
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const { only, rounds, quick } = options;
  const rows = ALL_ROWS.filter(({ id }) => only.length === 0 || only.includes(id));
  const began = Date.now();
  const outcome = await runRows(rows, options, showProgress);
  showProgress("");
  const report: Report = {
    at: new Date(began).toISOString(),
    machine: describeMachine(),
    rounds,
    quick,
    tookSeconds: (Date.now() - began) / 1000,
    ...outcome,
    notMeasured: NOT_MEASURED,
  };
  saveReport(options.json, report);
  process.stdout.write(renderReport(report));
  if (outcome.failures.length > 0) process.exitCode = 1;
}

/** One line that is written over, on a terminal only. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
