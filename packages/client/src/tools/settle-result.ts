import { showsSomething } from "@colloquy/protocol";

/** A result as the model reads it and as the round's events hold it. */
export interface SettledResult {
  /** Plain JSON. */
  readonly result: unknown;
  readonly text: string;
  readonly failed: boolean;
}

/** How a result begins that tells of a failure. */
const FAILURE = "Error: ";

/** What a model reads of a blank result, since some providers refuse a blank. */
const NOTHING = "(no output)";

/** The result for something that went wrong. */
export function failure(message: string): SettledResult {
  const text = `${FAILURE}${message}`;
  return { result: text, text, failed: true };
}

/**
 * Makes a tool's result plain JSON, and the text that the model reads.
 *
 * A text that starts with `Error: ` counts as a failure. One that is longer than the limit is cut,
 * and says so.
 *
 * @param maxLength - in characters
 */
export function settleResult(given: unknown, maxLength: number): SettledResult {
  const json = toJson(given);
  if (json === undefined) return failure("the result cannot be written as JSON");
  const result: unknown = JSON.parse(json);
  const text = typeof result === "string" ? result : json;
  if (!showsSomething(text)) return { result, text: NOTHING, failed: false };
  const failed = text.startsWith(FAILURE);
  if (text.length <= maxLength) return { result, text, failed };
  const cut = `${text.slice(0, maxLength)}… [${maxLength} of ${text.length} characters are shown]`;
  return { result: cut, text: cut, failed };
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value ?? null);
  } catch {
    return undefined;
  }
}
