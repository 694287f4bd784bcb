const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Finds where a JSON text first nests deeper than allowed, in one pass and without parsing it.
 *
 * Brackets inside strings do not count. The text need not be valid JSON.
 *
 * @param text - JSON text
 * @param maxDepth - levels of arrays and objects allowed, the outermost one included
 * @returns the zero-based position of the first bracket that is too deep, or -1
 */
export function findTooDeep(text: string, maxDepth: number): number {
  // A text with few brackets cannot be too deep; counting them costs far less than a scan.
  if (hasAtMost(text, maxDepth)) return -1;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth++;
      if (depth > maxDepth) return at;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      depth--;
    }
  }
  return -1;
}

/** Position of the quote that ends a string whose content starts at `from`; the text's end if there is none. */
export function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}

/** True if a text has at most so many opening brackets, those inside strings counted too. */
function hasAtMost(text: string, most: number): boolean {
  let left = most;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      left--;
      if (left < 0) return false;
    }
  }
  return true;
}
