let lastMs = Number.NaN;
let lastText = "";

/**
 * Formats epoch milliseconds as the hub's one timestamp form: `2026-07-14T20:55:49.123000+00:00`.
 *
 * Microseconds are always written, so timestamps of one form compare as text.
 */
export function formatTimestamp(epochMs: number): string {
  if (epochMs === lastMs) return lastText;
  const whole = Math.floor(epochMs);
  const micros = Math.floor((epochMs - whole) * 1000);
  const iso = new Date(whole).toISOString();
  lastMs = epochMs;
  lastText = `${iso.slice(0, 23)}${String(micros).padStart(3, "0")}+00:00`;
  return lastText;
}

/** Reads an ISO timestamp with offset; returns epoch milliseconds, or null when it is none. */
export function parseTimestamp(text: string): number | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
