import type { MeasurementInput } from "../report/measurement.js";

/** What a row may use. */
export interface RowContext {
  /** Rounds to measure; each side once per round, one after the other. */
  readonly rounds: number;
  /** A smoke run: small amounts, no figure worth keeping. */
  readonly quick: boolean;
  /** An empty folder for this row's databases; removed afterwards. */
  readonly folder: string;
  /** A folder that stays from run to run, for databases that take long to fill. */
  readonly keptFolder: string;
  /** Flags of Node for processes that carry a hub, such as those that write a CPU profile. */
  readonly flags: readonly string[];
  /** Tells the person who waits how far it is. */
  progress(text: string): void;
}

/** One row of the design's table of budgets. */
export interface Row {
  /** As `--only` takes it. */
  readonly id: string;
  run(context: RowContext): Promise<readonly MeasurementInput[]>;
}
