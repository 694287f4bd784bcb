import { InvalidInputError } from "../errors/network-error.js";
import { describeKind } from "./describe-kind.js";
import { findTooDeep } from "./json-depth.js";

/** Limits of {@link parseJson}. */
export interface ParseJsonOptions {
  /** Levels of arrays and objects allowed, the outermost one included. Default: 64. */
  readonly maxDepth?: number | undefined;
}

/** How deep {@link parseJson} lets a text nest when the caller does not say. */
export const DEFAULT_MAX_JSON_DEPTH = 64;

const FORBIDDEN_KEY = "__proto__";

/** An escape that could spell a letter of the forbidden key: `_` (5f), `o` (6f), `p`, `r`, `t` (7x). */
const SUSPICIOUS_ESCAPE = /\\u00[567]/;

/**
 * Parses a JSON text from a peer that is not trusted.
 *
 * Promises: strict JSON only; the depth is checked before anything is built; no object in the result
 * has a key `__proto__`, however it was spelled, so copying the result cannot change a prototype.
 *
 * @param text - one JSON value
 * @param options - limits
 * @returns the value; not yet checked against any schema
 * @throws InvalidInputError when the text is malformed (with the position, if known), nests too deep, or
 *   holds a forbidden key. The message never quotes the text.
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): unknown {
  if (typeof text !== "string") {
    throw invalid(
      "The input is not a text.",
      describeKind(text),
      "Send the JSON value as one text.",
    );
  }
  const maxDepth = options.maxDepth ?? DEFAULT_MAX_JSON_DEPTH;
  const tooDeep = findTooDeep(text, maxDepth);
  if (tooDeep >= 0) {
    throw invalid(
      `The JSON text nests deeper than ${maxDepth} levels at position ${tooDeep}.`,
      "JSON text that nests too deep",
      `Keep arrays and objects within a depth of ${maxDepth}.`,
    );
  }
  const value = parseStrict(text);
  if (mayHoldForbiddenKey(text) && holdsForbiddenKey(value)) {
    throw invalid(
      `The JSON text holds an object key "${FORBIDDEN_KEY}".`,
      "object with a forbidden key",
      "Rename the key.",
    );
  }
  return value;
}

function parseStrict(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(
      `The text is not valid JSON${whereItBroke(text, cause)}.`,
      "malformed JSON",
      "Send exactly one complete JSON value.",
    );
  }
}

/** The engine's message quotes the text, so only the position is taken from it. */
function whereItBroke(text: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : "";
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return ` at position ${position}`;
  return /end of JSON/i.test(message) ? ` at position ${text.length} (it ends too early)` : "";
}

function mayHoldForbiddenKey(text: string): boolean {
  return text.includes(FORBIDDEN_KEY) || SUSPICIOUS_ESCAPE.test(text);
}

/** Recursion is bounded, because the depth of the text was. */
function holdsForbiddenKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsForbiddenKey);
  return Object.entries(value).some(
    ([key, inner]) => key === FORBIDDEN_KEY || holdsForbiddenKey(inner),
  );
}

function invalid(message: string, received: string, remedy: string): InvalidInputError {
  return new InvalidInputError(message, { field: "", received, remedy });
}
