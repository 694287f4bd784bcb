import { parseDuration, parseTimestamp } from "@colloquy/protocol";
import { InvalidArgumentError } from "commander";

/** Reads a whole number from 0 up. */
export function parseCount(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number from 0 up.");
}

/** Reads an instant: a timestamp, or a duration that counts back from now; gives a function of now. */
export function parseSince(text: string): (nowMs: number) => number {
  if (/^\d{1,9}[smhd]$/.test(text)) {
    const backMs = parseDuration(text) * 1000;
    return (nowMs) => nowMs - backMs;
  }
  const at = /^\d{4}-/.test(text) ? parseTimestamp(text) : null;
  if (at !== null) return () => at;
  throw new InvalidArgumentError(
    "Give a duration such as 10m or 2h, or a timestamp such as 2026-01-31T08:00:00Z.",
  );
}

/** Gathers a flag that may be repeated. */
export function gather(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text];
}
