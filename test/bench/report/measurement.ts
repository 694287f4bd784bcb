import { type Spread, spread } from "./statistics.js";

/** Units of what is measured; they choose how a number is printed. */
export type Unit = "ratio" | "per second" | "µs" | "ms" | "s" | "bytes" | "count";

/** What the design allows. Stands beside a measurement and is never judged here. */
export interface Budget {
  readonly relation: "at least" | "at most";
  readonly value: number;
}

/** A figure that explains a measurement. */
export interface Detail {
  readonly name: string;
  readonly unit: Unit;
  readonly spread: Spread;
}

/** One line of the report. */
export interface Measurement {
  /** Id of the row that measured it. */
  readonly row: string;
  readonly title: string;
  readonly unit: Unit;
  readonly spread: Spread;
  readonly budget: Budget | null;
  readonly details: readonly Detail[];
  /** What a reader must know to read the number; empty for nothing. */
  readonly note: string;
}

/** What {@link createMeasurement} is made of; series are one value per round. */
export interface MeasurementInput {
  readonly title: string;
  readonly unit: Unit;
  readonly rounds: readonly number[];
  readonly budget?: Budget;
  readonly details?: readonly DetailInput[];
  readonly note?: string;
}

/** Name, unit and one value per round. */
export type DetailInput = readonly [name: string, unit: Unit, rounds: readonly number[]];

/**
 * Sums up the rounds of one line.
 *
 * @param row - id of the row
 * @throws RangeError when a series is empty
 */
export function createMeasurement(row: string, input: MeasurementInput): Measurement {
  return {
    row,
    title: input.title,
    unit: input.unit,
    spread: spread(input.rounds),
    budget: input.budget ?? null,
    details: (input.details ?? []).map(([name, unit, rounds]) => ({
      name,
      unit,
      spread: spread(rounds),
    })),
    note: input.note ?? "",
  };
}

/** A budget that a bigger number meets. */
export function atLeast(value: number): Budget {
  return { relation: "at least", value };
}

/** A budget that a smaller number meets. */
export function atMost(value: number): Budget {
  return { relation: "at most", value };
}
