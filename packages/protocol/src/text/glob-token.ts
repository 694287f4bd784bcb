/** One element of a compiled glob. */
export type GlobToken =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "literal"; readonly character: string }
  | { readonly kind: "set"; readonly negated: boolean; readonly ranges: readonly CodeRange[] };

/** First and last code point of a range, both included. */
type CodeRange = readonly [from: number, to: number];

/**
 * Splits a glob into elements that each match one character, or any run of them for a star.
 *
 * @param pattern - any text; every text is a valid glob
 * @returns the elements in order, runs of stars reduced to one
 */
export function compileGlob(pattern: string): GlobToken[] {
  const characters = Array.from(pattern);
  const tokens: GlobToken[] = [];
  // Without a "]" behind one "[", there is none behind the next: looked for once, not once per "[".
  let mayClose = true;
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const close = character === "[" && mayClose ? findClose(characters, at) : -1;
    if (character === "[" && close < 0) mayClose = false;
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") {
      tokens.push({ kind: "any" });
    } else if (close > 0) {
      tokens.push(compileSet(characters.slice(at + 1, close)));
      at = close;
    } else {
      tokens.push({ kind: "literal", character });
    }
  }
  return tokens;
}

/**
 * Tells whether one character satisfies one element; a star is never asked.
 *
 * @param token - the element
 * @param character - one code point as a string
 */
export function matchesToken(token: GlobToken, character: string): boolean {
  switch (token.kind) {
    case "star":
    case "any":
      return true;
    case "literal":
      return token.character === character;
    case "set": {
      const code = character.codePointAt(0) ?? -1;
      return token.ranges.some(([from, to]) => from <= code && code <= to) !== token.negated;
    }
  }
}

/** A `]` directly after `[` or `[!` belongs to the set. */
function findClose(characters: readonly string[], open: number): number {
  const first = characters[open + 1] === "!" ? open + 2 : open + 1;
  return characters.indexOf("]", first + 1);
}

function compileSet(members: readonly string[]): GlobToken {
  const negated = members[0] === "!";
  const ranges: CodeRange[] = [];
  for (let at = negated ? 1 : 0; at < members.length; at++) {
    const from = codeOf(members[at]);
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    ranges.push([from, isRange ? codeOf(members[at + 2]) : from]);
    if (isRange) at += 2;
  }
  return { kind: "set", negated, ranges };
}

function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? -1;
}
