import type { LogFields, Logger } from "@colloquy/protocol";

/** Levels of a log line. */
export type LogLevel = keyof Logger;

/** One line that was logged. */
export interface LogLine {
  readonly level: LogLevel;
  readonly fields: LogFields;
  readonly message: string;
}

/** A logger that keeps what it is told. */
export interface RecordingLogger extends Logger {
  /** All lines, oldest first; grows as lines come in. */
  readonly lines: readonly LogLine[];
  /** The lines of one level, oldest first. */
  at(level: LogLevel): readonly LogLine[];
  /** Forgets all lines. */
  clear(): void;
}

/** Makes an empty {@link RecordingLogger}. Its methods need no receiver. */
export function createRecordingLogger(): RecordingLogger {
  const lines: LogLine[] = [];
  const record = (level: LogLevel) => (fields: LogFields, message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    lines,
    debug: record("debug"),
    info: record("info"),
    warn: record("warn"),
    error: record("error"),
    at: (level) => lines.filter((line) => line.level === level),
    clear: () => {
      lines.length = 0;
    },
  };
}
