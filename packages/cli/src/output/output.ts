import type { Clock } from "@colloquy/protocol";
import type { Terminal } from "../terminal/terminal.js";
import { toSafeJson } from "./escape-text.js";
import { type Progress, startProgress } from "./progress.js";
import { createStyles, type Styles } from "./styles.js";

/** How a command speaks: lines for people, or JSON for machines. */
export interface Output {
  /** True when machines read: only JSON goes to the standard output. */
  readonly json: boolean;
  readonly styles: Styles;
  /** Cells of a line; null is no bound. */
  readonly columns: number | null;
  /** Writes lines to the standard output. */
  lines(...lines: readonly string[]): Promise<void>;
  /** Writes one JSON value on one line to the standard output. */
  value(value: unknown): Promise<void>;
  /** Writes a remark to the error stream, where it does not mix with results. */
  remark(line: string): Promise<void>;
  /** Shows progress on the error stream of a terminal. */
  progress(label: string, total: number): Progress;
}

/** Makes the {@link Output} of a command that was called with or without `--json`. */
export function createOutput(terminal: Terminal, clock: Clock, json: boolean): Output {
  return {
    json,
    styles: createStyles(terminal.out, terminal.env),
    columns: terminal.out.columns,
    lines: (...lines) => terminal.out.write(lines.map((line) => `${line}\n`).join("")),
    value: (value) => terminal.out.write(`${toSafeJson(value)}\n`),
    remark: (line) => terminal.err.write(`${line}\n`),
    progress: (label, total) => startProgress(terminal.err, clock, label, total),
  };
}
