/** A place in a trace, as W3C Trace Context names it. */
export interface TraceContext {
  /** 32 lower-case hex characters, not all 0. */
  readonly traceId: string;
  /** 16 lower-case hex characters, not all 0. */
  readonly spanId: string;
  /** Trace flags, 0 to 255; bit 0 says that the trace is recorded. */
  readonly flags: number;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ONLY_ZEROS = /^0+$/;

/**
 * Reads a `traceparent`, as an envelope carries it in `trace_id`.
 *
 * Later versions are read as the first one, as W3C asks for; what breaks its rules is no context.
 *
 * @returns null for anything else, null and undefined included
 */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  const match = TRACEPARENT.exec(text ?? "");
  if (match === null) return null;
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = match;
  if (version === "ff" || (version === "00" && rest !== undefined)) return null;
  if (ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Writes a `traceparent` of version 00. */
export function formatTraceparent({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
}
