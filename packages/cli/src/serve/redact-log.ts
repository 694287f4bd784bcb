/** Stands in a log for what must not be there. */
const HIDDEN = "(hidden)";

/** Names of fields whose value is a secret, whatever stands before or after the word. */
const SECRET_KEY =
  /authorization|cookie|passw(or)?d|passphrase|secret|credential|signature|api[-_]?keys?$|private[-_]?key|(^|[-_.])(auth[-_]?)?claims?$|claim$|token$|^tokens$/i;

/** Texts that are or hold a secret wherever they stand, with what is left of them. */
const SECRET_TEXTS: readonly (readonly [pattern: RegExp, left: string])[] = [
  // What follows the scheme of an HTTP authorization.
  [/\b(bearer|basic)(\s+|%20)[\w.~+/=-]{4,}/gi, `$1 ${HIDDEN}`],
  // The user part of a URL, and everything behind its host: a path may be a capability.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']*@/gi, `$1${HIDDEN}@`],
  [/\b((?:https?|wss?):\/\/[^\s/?#"'<>]+)\/?\?[^\s"'<>]*/gi, `$1?${HIDDEN}`],
  [/\b((?:https?|wss?):\/\/[^\s?#"'<>]+)\?[^\s"'<>]*/gi, `$1?${HIDDEN}`],
  // name=value and "name": "value" inside a text, such as the message of an error.
  [
    /\b((?:access_|refresh_|id_|auth_)?token|api[-_]?key|(?:client_)?secret|passw(?:or)?d)(["']?\s*[=:]\s*["']?)[^\s"',;&}]{3,}/gi,
    `$1$2${HIDDEN}`,
  ],
  // Keys by the prefixes that their makers gave them so that they are found.
  [/\b(?:sk|pk|rk|ck|ghp|gho|ghs|github_pat|xox[abprs]|glpat|AKIA|AIza)[-_]?[\w-]{12,}/g, HIDDEN],
  // Keys that this hub has issued.
  [/\bcq_[0-9a-f]{32}_[\w-]{8,}/g, HIDDEN],
  // JSON Web Tokens.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, HIDDEN],
];

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

/** A text without what looks like a secret. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((left, [pattern, mask]) => left.replace(pattern, mask), text);
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
