import { formatBudget, formatRange, formatValue } from "./format.js";
import type { Measurement } from "./measurement.js";
import type { Report } from "./report.js";

const HEADINGS = ["row", "measured", "median", "range", "rounds", "budget"] as const;

/** The report as text for a terminal: a table, what explains it, and what is not in it. */
export function renderReport(report: Report): string {
  const { machine } = report;
  const parts = [
    `${report.at}, ${machine.cores} cores (${machine.processor}), ${machine.system}, Node ${machine.node}` +
      `${report.quick ? ", quick run: too short to be a figure" : ""}`,
    renderTable(report.measurements.map(toCells)),
    report.measurements.map(renderDetails).join("\n"),
    report.failures.map(({ row, error }) => `${row} broke off: ${error}`).join("\n"),
    `not measured here:\n${report.notMeasured
      .map(({ title, reason }) => `  ${title}: ${reason}`)
      .join("\n")}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Cells padded to the widest of their column, headings first. */
function renderTable(rows: readonly (readonly string[])[]): string {
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => lengthAt(row, column))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(HEADINGS), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].join(
    "\n",
  );
}

function lengthAt(row: readonly string[], column: number): number {
  return row[column]?.length ?? 0;
}

function toCells({ row, title, unit, spread, budget }: Measurement): string[] {
  return [
    row,
    title,
    formatValue(spread.median, unit),
    formatRange(spread, unit),
    String(spread.count),
    formatBudget(budget, unit),
  ];
}

function renderDetails({ row, title, details, note }: Measurement): string {
  const figures = details.map(
    ({ name, unit, spread }) =>
      `  ${name}: ${formatValue(spread.median, unit)} (${formatRange(spread, unit)})`,
  );
  return [`${row}: ${title}`, ...figures, ...(note === "" ? [] : [`  ${note}`])].join("\n");
}
