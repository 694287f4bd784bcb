/** Stands for what must not be shown. */
const HIDDEN = "(hidden)";

/** Texts that are or hold a secret wherever they stand, with what is left of them. */
const SECRET_TEXTS: readonly (readonly [pattern: RegExp, left: string])[] = [
  // What follows the scheme of an HTTP authorization.
  [/\b(bearer|basic)(\s+|%20)[\w.~+/=-]{4,}/gi, `$1 ${HIDDEN}`],
  // The user part of a URL, and everything behind its host: a path may be a capability.
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"']*@/gi, `$1${HIDDEN}@`],
  [/\b((?:https?|wss?):\/\/[^\s/?#"'<>]+)\/?[?#][^\s"'<>]*/gi, `$1?${HIDDEN}`],
  [/\b((?:https?|wss?):\/\/[^\s?#"'<>]+)[?#][^\s"'<>]*/gi, `$1?${HIDDEN}`],
  [
    /\b((?:https?|wss?):\/\/(?!127\.\d|localhost\b|\[::1\])[^\s/?#"'<>]+)\/[^\s"'<>]+/gi,
    `$1/${HIDDEN}`,
  ],
  // name=value and "name": "value" inside a text, such as the message of an error.
  [
    /\b((?:access_|refresh_|id_|auth_)?token|api[-_]?key|(?:client_)?secret|passw(?:or)?d)(["']?\s*[=:]\s*["']?)[^\s"',;&}]{3,}/gi,
    `$1$2${HIDDEN}`,
  ],
  // Keys by the prefixes that their makers gave them so that they are found.
  [/\b(?:sk|pk|rk|ck|ghp|gho|ghs|github_pat|xox[abprs]|glpat|AKIA|AIza)[-_]?[\w-]{12,}/g, HIDDEN],
  [/\bwhsec_[\w+/=-]{8,}/g, HIDDEN],
  // Keys that a hub has issued.
  [/\bcq_[0-9a-f]{32}_[\w-]{8,}/g, HIDDEN],
  // JSON Web Tokens.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, HIDDEN],
];

/**
 * A text without what looks like a secret: HTTP authorizations, keys by their known prefixes, JSON
 * Web Tokens, `name=value` pairs of such names, and of a URL everything but its host (its path too,
 * unless it is of this machine). For what others have written and operators are shown, such as the
 * message of an error.
 */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((left, [pattern, mask]) => left.replace(pattern, mask), text);
}
