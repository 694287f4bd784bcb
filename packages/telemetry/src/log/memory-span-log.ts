import { DEFAULT_SPAN_LOG_BYTES, type SpanLog } from "./span-log.js";
import type { SpanRecord } from "./span-record.js";

/**
 * Keeps the newest spans in memory.
 *
 * @param maxBytes - bytes of JSON that are kept; default {@link DEFAULT_SPAN_LOG_BYTES}
 */
export function createMemorySpanLog(maxBytes: number = DEFAULT_SPAN_LOG_BYTES): SpanLog {
  let lines: string[] = [];
  let first = 0;
  let bytes = 0;
  const dropOldest = (): void => {
    while (bytes > maxBytes && first < lines.length) {
      bytes -= Buffer.byteLength(lines[first] ?? "");
      first += 1;
    }
    if (first * 2 > lines.length) {
      lines = lines.slice(first);
      first = 0;
    }
  };
  return {
    get bytes() {
      return bytes;
    },
    append(record) {
      const line = `${JSON.stringify(record)}\n`;
      lines.push(line);
      bytes += Buffer.byteLength(line);
      dropOldest();
    },
    read: async () => lines.slice(first).map((line) => JSON.parse(line) as SpanRecord),
    close: async () => undefined,
  };
}
