import fc from "fast-check";
import { expect, it } from "vitest";
import { findTooDeep } from "./json-depth.js";

/** The first bracket that is too deep, found by reading every character. */
function scan(text: string, maxDepth: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted && sign === "\\") at++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === "{" || sign === "[")) {
      depth++;
      if (depth > maxDepth) return at;
    } else if (!quoted && (sign === "}" || sign === "]")) depth--;
  }
  return -1;
}

it("finds in any text what a plain scan finds", () => {
  const signs = fc.constantFrom("{", "}", "[", "]", '"', "\\", "a", ":");
  const texts = fc.array(signs, { maxLength: 60 }).map((list) => list.join(""));
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 8 }), (text, maxDepth) => {
      expect(findTooDeep(text, maxDepth)).toBe(scan(text, maxDepth));
    }),
    { numRuns: 2_000 },
  );
});
