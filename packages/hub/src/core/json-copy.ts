import { describeKind, InvalidInputError, TooLargeError } from "@colloquy/protocol";

/**
 * JSON text of a value that a caller gave.
 *
 * @param value - any value
 * @param field - what it is, for the error
 * @throws InvalidInputError when JSON cannot say it
 */
export function toJson(value: unknown, field: string): string {
  const text = tryJson(value);
  if (text !== undefined) return text;
  const remedy = "Give plain JSON: no functions, big integers or cycles.";
  throw new InvalidInputError(`${field}: ${remedy}`, {
    field,
    received: describeKind(value),
    remedy,
  });
}

function tryJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A copy of a value as JSON keeps it; throws as {@link toJson}. */
export function copyJson<T>(value: T, field: string): T {
  return JSON.parse(toJson(value, field)) as T;
}

/**
 * Refuses a text of more than so many UTF-8 bytes.
 *
 * @throws TooLargeError
 */
export function requireSize(text: string, maxBytes: number, what: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return;
  throw new TooLargeError(`${what} has ${bytes} bytes, more than the limit of ${maxBytes}`, {
    details: { bytes, max_bytes: maxBytes },
  });
}
