import type { HrTime } from "@opentelemetry/api";

/** Epoch milliseconds, with fractions, that never step backwards. */
export type SpanClock = () => number;

/** The machine's time as spans want it: finer than a millisecond. */
export const systemSpanClock: SpanClock = () => performance.timeOrigin + performance.now();

/** Epoch milliseconds as OpenTelemetry's pair of seconds and nanoseconds. */
export function toHrTime(epochMs: number): HrTime {
  const seconds = Math.floor(epochMs / 1_000);
  return [seconds, Math.round((epochMs - seconds * 1_000) * 1e6)];
}

/** Epoch milliseconds as ISO time with microseconds and `Z`. */
export function toIsoTime(epochMs: number): string {
  const whole = Math.floor(epochMs);
  const micros = Math.floor((epochMs - whole) * 1_000);
  return `${new Date(whole).toISOString().slice(0, 23)}${String(micros).padStart(3, "0")}Z`;
}
