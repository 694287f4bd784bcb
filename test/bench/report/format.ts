import type { Budget, Unit } from "./measurement.js";
import type { Spread } from "./statistics.js";

const KIB = 1024;
const MIB = KIB * KIB;

/** A number with its unit, in as many digits as the measurement is worth. */
export function formatValue(value: number, unit: Unit): string {
  if (unit === "ratio") return value.toFixed(2);
  if (unit === "bytes") return formatBytes(value);
  if (unit === "per second") return `${formatCount(value)}/s`;
  if (unit === "count") return formatCount(value);
  return `${formatCount(value)} ${unit}`;
}

/** The ends of a spread, such as `0.31–0.43`. */
export function formatRange({ min, max }: Spread, unit: Unit): string {
  return `${formatValue(min, unit)}–${formatValue(max, unit)}`;
}

/** A budget as it stands in the design, such as `≥ 0.35`; a dash for none. */
export function formatBudget(budget: Budget | null, unit: Unit): string {
  if (budget === null) return "–";
  return `${budget.relation === "at least" ? "≥" : "≤"} ${formatValue(budget.value, unit)}`;
}

function formatBytes(bytes: number): string {
  if (Math.abs(bytes) >= MIB) return `${formatCount(bytes / MIB)} MiB`;
  if (Math.abs(bytes) >= KIB) return `${formatCount(bytes / KIB)} KiB`;
  return `${Math.round(bytes)} B`;
}

function formatCount(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en-GB");
  return value.toFixed(size >= 10 ? 1 : 2);
}
