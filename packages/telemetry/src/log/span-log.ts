import type { SpanRecord } from "./span-record.js";

/**
 * Where ended spans are mirrored to, one JSON object a line.
 *
 * Telemetry is no conversation: a log may be behind by a moment, drops its oldest spans at its bound,
 * and says nothing to who appends when it cannot write.
 */
export interface SpanLog {
  append(record: SpanRecord): void;
  /** Bytes that are kept, those that are about to be written included. */
  readonly bytes: number;
  /** Everything that is kept, oldest first; what waits is written first. */
  read(): Promise<readonly SpanRecord[]>;
  /** Writes what waits. May be repeated. */
  close(): Promise<void>;
}

/** Bytes of spans that are kept unless told otherwise: 64 MiB. */
export const DEFAULT_SPAN_LOG_BYTES = 67_108_864;
