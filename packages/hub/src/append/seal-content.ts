import { describeKind, InvalidInputError, isNetworkError, parseJson } from "@colloquy/protocol";

/**
 * Levels of arrays and objects in an envelope's content. A frame may have 64, and an answer that
 * lists envelopes wraps each content into four of its own.
 */
const MAX_CONTENT_DEPTH = 59;

/** A content as JSON, and the plain value that this JSON says. */
export interface SealedContent {
  readonly text: string;
  /** What a replay will see too; shares nothing with what was given. */
  readonly value: Record<string, unknown>;
}

/**
 * Turns a JSON object from a caller into text and a private copy of what the text says, so that
 * nothing the caller does later can reach the WAL's fold, and live state and replay agree.
 *
 * @param value - the object as given
 * @param field - its name, for the error
 * @throws InvalidInputError when it is no JSON object, nests too deep, or has a key `__proto__`
 */
export function sealContent(value: unknown, field: string): SealedContent {
  const text = toJson(value, field);
  const copy = readBack(text, field);
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) {
    throw invalid(field, describeKind(copy), "Give a JSON object.");
  }
  return { text, value: copy as Record<string, unknown> };
}

function toJson(value: unknown, field: string): string {
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) return text;
  } catch (cause) {
    throw invalid(field, "a value that is no JSON", "Give plain JSON without cycles.", cause);
  }
  throw invalid(field, describeKind(value), "Give a JSON object.");
}

function readBack(text: string, field: string): unknown {
  try {
    return parseJson(text, { maxDepth: MAX_CONTENT_DEPTH });
  } catch (cause) {
    if (!isNetworkError(cause)) throw cause;
    const received = String(cause.details?.["received"] ?? "object");
    throw invalid(field, received, String(cause.details?.["remedy"] ?? ""), cause);
  }
}

function invalid(
  field: string,
  received: string,
  remedy: string,
  cause?: unknown,
): InvalidInputError {
  return new InvalidInputError(`${field}: received ${received}. ${remedy}`, {
    field,
    received,
    remedy,
    cause,
  });
}
