import { redactText } from "@colloquy/protocol";

/** Stands in a log for what must not be there. */
const HIDDEN = "(hidden)";

/** Names of fields whose value is a secret, whatever stands before or after the word. */
const SECRET_KEY =
  /authorization|cookie|passw(or)?d|passphrase|secret|credential|signature|api[-_]?keys?$|private[-_]?key|(^|[-_.])(auth[-_]?)?claims?$|claim$|token$|^tokens$/i;

/**
 * A log line without its secrets: fields by their name, wherever they stand in it, and texts by what
 * they look like, the message and the stacks of errors included.
 *
 * @param line - one JSON object, as pino writes it; anything else is cleaned as text
 */
export function redactLine(line: string): string {
  try {
    return `${JSON.stringify(redactValue(JSON.parse(line)))}\n`;
  } catch {
    return redactText(line);
  }
}

function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      redactText(key),
      isSecret(key, field) ? HIDDEN : redactValue(field),
    ]),
  );
}

/** Counts and flags, such as of tokens that a model has used, are no secrets. */
function isSecret(key: string, value: unknown): boolean {
  return value !== null && typeof value !== "boolean" && SECRET_KEY.test(key);
}
