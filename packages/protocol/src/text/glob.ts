import { compileGlob, type GlobToken, matchesToken } from "./glob-token.js";

/**
 * Tells whether a name matches a shell-style pattern.
 *
 * `*` stands for any run of characters, `?` for one, `[seq]` for one of a set, `[!seq]` for one outside it; a set may
 * hold ranges (`a-z`), and `]` as its first member. A `[` without its `]` is an ordinary character. The whole name must
 * match, upper and lower case differ, and characters are Unicode code points.
 *
 * Takes at most (pattern length × name length) steps, whatever the pattern.
 *
 * @param pattern - the glob
 * @param name - the name to test
 */
export function matchesGlob(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  if (!/[*?[]/.test(pattern)) return pattern === name;
  return matchesTokens(compileGlob(pattern), Array.from(name));
}

/**
 * Tells whether a name matches at least one of several globs; an empty list matches nothing.
 *
 * @param patterns - globs as {@link matchesGlob} reads them
 * @param name - the name to test
 */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesGlob(pattern, name));
}

/** Only the latest star ever needs another try, because an earlier one taking more can never help. */
function matchesTokens(tokens: readonly GlobToken[], characters: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let retryToken = -1;
  let retryAt = 0;
  while (at < characters.length) {
    const current = tokens[token];
    if (current?.kind === "star") {
      retryToken = token + 1;
      retryAt = at;
      token++;
    } else if (current !== undefined && matchesToken(current, characters[at] ?? "")) {
      token++;
      at++;
    } else if (retryToken >= 0) {
      retryAt++;
      token = retryToken;
      at = retryAt;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every((rest) => rest.kind === "star");
}
