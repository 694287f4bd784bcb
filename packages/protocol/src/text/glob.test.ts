import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesAny, matchesGlob } from "./glob.js";

/** Slow but plain: every way to split the name is tried. */
function reference(pattern: readonly string[], name: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  const [first, ...others] = name;
  if (head === undefined) return name.length === 0;
  if (head === "*") return reference(rest, name) || (name.length > 0 && reference(pattern, others));
  if (first === undefined) return false;
  if (head === "?") return reference(rest, others);
  const negated = pattern[1] === "!";
  const start = negated ? 2 : 1;
  const close = head === "[" ? pattern.indexOf("]", start + 1) : -1;
  if (close < 0) return head === first && reference(rest, others);
  let members = pattern.slice(start, close);
  let inside = false;
  while (members.length > 0) {
    const [from = "", dash, to] = members;
    const range = dash === "-" && to !== undefined;
    const code = first.codePointAt(0) ?? -1;
    const low = from.codePointAt(0) ?? -1;
    const high = (range ? to : from).codePointAt(0) ?? -1;
    if (low <= code && code <= high) inside = true;
    members = members.slice(range ? 3 : 1);
  }
  return inside !== negated && reference(pattern.slice(close + 1), others);
}

describe("matchesGlob", () => {
  it.each([
    ["*", "", true],
    ["*", "anything\nat all", true],
    ["", "", true],
    ["", "a", false],
    ["alice", "alice", true],
    ["alice", "Alice", false],
    ["alice", "alice2", false],
    ["al*", "alice", true],
    ["*ce", "alice", true],
    ["a*c*e", "alice", true],
    ["a?ice", "alice", true],
    ["?", "", false],
    ["?", "👋", true],
    ["team-[abc]", "team-b", true],
    ["team-[!abc]", "team-b", false],
    ["team-[!abc]", "team-d", true],
    ["[a-c]x", "bx", true],
    ["[a-c]x", "dx", false],
    ["[z-a]", "m", false],
    ["[!z-a]", "m", true],
    ["[]]", "]", true],
    ["[!]]", "]", false],
    ["[!]]", "a", true],
    ["[]-a]", "^", true],
    ["[-a]", "-", true],
    ["[a-]", "-", true],
    ["[a", "[a", true],
    ["[", "[", true],
    ["[]", "[]", true],
    ["a]", "a]", true],
    ["a.c", "abc", false],
    ["a+(b|c)$", "a+(b|c)$", true],
    ["[\\]", "\\", true],
    ["[^a]", "^", true],
    ["**a**", "bab", true],
    ["[а-я]", "д", true],
  ])("%j against %j is %s", (pattern, name, expected) => {
    expect(matchesGlob(pattern, name)).toBe(expected);
    expect(reference(Array.from(pattern), Array.from(name))).toBe(expected);
  });

  it("agrees with the reference on patterns made of what matters", () => {
    const letters = fc.constantFrom("a", "b", "c", "*", "?", "[", "]", "!", "-");
    const pattern = fc.array(letters, { maxLength: 9 });
    const name = fc.array(fc.constantFrom("a", "b", "c", "-", "!", "]", "["), { maxLength: 7 });
    fc.assert(
      fc.property(pattern, name, (p, n) => {
        expect(matchesGlob(p.join(""), n.join(""))).toBe(reference(p, n));
      }),
      { numRuns: 5000 },
    );
  });

  it("stays within pattern × name steps where backtracking would explode", () => {
    const pattern = `${"*a".repeat(200)}*b`;
    expect(matchesGlob(pattern, "a".repeat(5000))).toBe(false);
  });

  it("looks for the end of a set that has none once, however many begin", () => {
    const startedAt = performance.now();
    expect(matchesGlob("[".repeat(400_000), "bob")).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(matchesGlob("[a]".repeat(3) + "[".repeat(3), "aaa[[[")).toBe(true);
  });
});

describe("matchesAny", () => {
  it("needs one match; no pattern matches nothing", () => {
    expect(matchesAny([], "a")).toBe(false);
    expect(matchesAny(["b", "a*"], "ab")).toBe(true);
    expect(matchesAny(["b", "c"], "ab")).toBe(false);
  });
});
