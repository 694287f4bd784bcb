import { endOfString } from "./json-depth.js";

/** A number in a text that would not come out of a double as it went in. */
export interface NumberFault {
  /** Zero-based position of its first character. */
  readonly position: number;
  /** What kind of number it is, for the error. */
  readonly received: string;
  readonly remedy: string;
}

const QUOTE = 0x22;
/** What may begin a number: a sign, a digit, `Infinity`, `NaN`. */
const BEGINNING = /[-\dIN]/;
const NUMBER = /-?(?:Infinity|NaN|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const WHOLE = /^-?\d+$/;
/** Digits of the largest double; a whole number with more has no double, and is not worth a look. */
const MAX_DIGITS = 309;
/** A whole number with fewer digits is always kept. */
const FEWEST_DIGITS = 16;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * False when no whole number of a text can be at fault. Looks at every sixteenth character only,
 * which no run of sixteen digits can avoid. Numbers beyond the largest double are not looked for.
 */
export function mayHoldNumberFault(text: string): boolean {
  for (let at = FEWEST_DIGITS - 1; at < text.length; at += FEWEST_DIGITS) {
    if (isDigit(text, at) && digitsAround(text, at) >= FEWEST_DIGITS) return true;
  }
  return false;
}

function digitsAround(text: string, at: number): number {
  let from = at;
  let to = at;
  while (from > 0 && isDigit(text, from - 1)) from--;
  while (to + 1 < text.length && isDigit(text, to + 1)) to++;
  return to - from + 1;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= ZERO && code <= NINE;
}

/** The first number of a text, outside its strings, that a double cannot keep; null when all are kept. */
export function findNumberFault(text: string): NumberFault | null {
  for (const { position, token } of numbersIn(text)) {
    const fault = faultOf(token);
    if (fault !== null) return { position, ...fault };
  }
  return null;
}

/** The text with `null` for each number at fault, so that the rest of it can be read. */
export function withoutNumberFaults(text: string): string {
  return withNulls(text, (token) => faultOf(token) !== null);
}

/** The text with `null` for each `NaN` and `Infinity`, as JavaScript itself writes them. */
export function withoutForeignNumbers(text: string): string {
  return withNulls(text, isForeign);
}

function withNulls(text: string, isTaken: (token: string) => boolean): string {
  let kept = "";
  let from = 0;
  for (const { position, token } of numbersIn(text)) {
    if (!isTaken(token)) continue;
    kept += `${text.slice(from, position)}null`;
    from = position + token.length;
  }
  return kept + text.slice(from);
}

function* numbersIn(text: string): Generator<{ position: number; token: string }, void> {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (BEGINNING.test(text.charAt(at))) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(text)?.[0];
      if (token === undefined) continue;
      yield { position: at, token };
      at += token.length - 1;
    }
  }
}

function faultOf(token: string): Omit<NumberFault, "position"> | null {
  if (isForeign(token)) {
    return {
      received: `${token}, which is no JSON`,
      remedy: "Send null or a text, or leave it out.",
    };
  }
  if (isKept(token)) return null;
  return {
    received: "a number that cannot be kept exactly",
    remedy:
      "Send whole numbers beyond 9007199254740991, and what is larger than a double, as texts.",
  };
}

function isForeign(token: string): boolean {
  return token.endsWith("N") || token.endsWith("y");
}

/** Whole numbers come out as the same value, or as the same digits; others only must not be too large. */
function isKept(token: string): boolean {
  if (token.length > MAX_DIGITS + 1) return false;
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  return !WHOLE.test(token) || String(value) === token || BigInt(value) === BigInt(token);
}
