import { levels } from "pino";
import { escapeText } from "../output/escape-text.js";
import type { Styles } from "../output/styles.js";
import type { TextSink } from "../terminal/terminal.js";

/** Fields of a line that stand in its head or say nothing to people. */
const HEAD_FIELDS: ReadonlySet<string> = new Set(["level", "time", "msg", "pid", "hostname"]);

/** Where a logger writes its JSON lines. */
export interface LogDestination {
  write(line: string): void;
}

/** Shows JSON log lines to people: time, level, message, then the fields. */
export function createTextDestination(sink: TextSink, styles: Styles): LogDestination {
  return {
    write: (line) => void sink.stream.write(`${formatLogLine(line, styles)}\n`),
  };
}

/** One JSON log line for people, on one line that no content can break or colour. */
function formatLogLine(line: string, styles: Styles): string {
  const fields = JSON.parse(line) as Record<string, unknown>;
  const level = levels.labels[Number(fields["level"])] ?? "?";
  const time = new Date(Number(fields["time"])).toISOString();
  const rest = Object.entries(fields)
    .filter(([key]) => !HEAD_FIELDS.has(key))
    .map(([key, value]) => `${key}=${valueText(value)}`);
  const head = `${styles.faint(time)} ${colourOf(level, styles)(level.padEnd(5))}`;
  const message = escapeText(String(fields["msg"] ?? ""));
  return [head, message, styles.faint(escapeText(rest.join(" ")))].filter(Boolean).join(" ");
}

function valueText(value: unknown): string {
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

function colourOf(level: string, styles: Styles): (text: string) => string {
  if (level === "error" || level === "fatal") return styles.bad;
  return level === "warn" ? styles.caution : styles.good;
}
