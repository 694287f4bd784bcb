import { InvalidInputError } from "../errors/network-error.js";
import { findNumberFault, mayHoldNumberFault } from "./number-faults.js";
import { FOREIGN_NUMBER } from "./parse-foreign-json.js";
import { type ParseJsonOptions, parseJson } from "./parse-json.js";

/**
 * {@link parseJson} for what is stored and given out again: a whole number that a double cannot keep
 * is refused and never silently changed, and so is `NaN`, which other languages write. One beyond the
 * largest double is `Infinity` in the value.
 *
 * @throws InvalidInputError as {@link parseJson}; for a number with `details.number_at`, its position
 */
export function parseExactJson(text: string, options: ParseJsonOptions = {}): unknown {
  try {
    const value = parseJson(text, options);
    if (mayHoldNumberFault(text)) refuseNumberFault(text);
    return value;
  } catch (error) {
    if (typeof text === "string" && FOREIGN_NUMBER.test(text)) refuseNumberFault(text);
    throw error;
  }
}

/** True for an error of {@link parseExactJson} about a number. */
export function isNumberFault(error: unknown): error is InvalidInputError {
  return error instanceof InvalidInputError && error.details?.["number_at"] !== undefined;
}

function refuseNumberFault(text: string): void {
  const fault = findNumberFault(text);
  if (fault === null) return;
  const { position, received, remedy } = fault;
  throw new InvalidInputError(
    `The JSON text holds ${received}, at position ${position}. ${remedy}`,
    {
      field: "",
      received,
      remedy,
      details: { number_at: position },
    },
  );
}
