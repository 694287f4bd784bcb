/**
 * Characters that could drive a terminal, break a line or reorder what is shown: controls, line and
 * paragraph separators, halves of surrogate pairs, and format characters except the two joiners
 * that scripts and emoji need.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Text that a terminal shows and never obeys, on one line.
 *
 * Unsafe characters become `\n`, `\r`, `\t` or `\u{…}`; all else stays.
 *
 * @param text - anything that came from a log, a file or a peer
 */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, (found) => SHORT[found] ?? codePoint(found));
}

/** {@link escapeText} for each line of a text; line breaks stay. */
export function escapeLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map(escapeText);
}

/**
 * JSON text of a value that a terminal never obeys. It parses to the same value.
 *
 * @param value - plain JSON
 * @param indent - blanks per level; default 0: one line
 */
export function toSafeJson(value: unknown, indent = 0): string {
  return escapeJson(JSON.stringify(value, null, indent) ?? "null");
}

/** JSON text that parses to the same value and that a terminal never obeys; line breaks stay. */
export function escapeJson(text: string): string {
  return text.replace(UNSAFE, (found) => (found === "\n" ? found : jsonEscape(found)));
}

function codePoint(found: string): string {
  return `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`;
}

function jsonEscape(found: string): string {
  return Array.from(
    { length: found.length },
    (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
