import { parseTimestamp } from "@colloquy/protocol";
import { escapeText } from "./escape-text.js";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes for people: `532 B`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit] ?? "B"}`;
}

/** A whole number for people: `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-GB");
}

/** A number of things: `1 channel`, `3 channels`. */
export function countOf(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** A stored timestamp in UTC to the millisecond; what is no timestamp is shown escaped. */
export function formatInstant(timestamp: string): string {
  const ms = parseTimestamp(timestamp);
  if (ms === null) return timestamp === "" ? "-" : escapeText(timestamp);
  return new Date(ms).toISOString().replace("T", " ");
}
