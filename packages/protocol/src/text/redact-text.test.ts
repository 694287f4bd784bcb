import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactText } from "./redact-text.js";

describe("redactText", () => {
  it("leaves of an address its scheme, host and port", () => {
    const rows: readonly (readonly [string, string])[] = [
      ["https://u:p@hooks.example:8443/a/b?c=d#e", "https://(hidden)@hooks.example:8443"],
      ["at https://hooks.example/a/b failed", "at https://hooks.example/(hidden) failed"],
      ['{"url":"wss://hooks.example/a"}', '{"url":"wss://hooks.example/(hidden)"}'],
      ["https://hooks.example", "https://hooks.example"],
      ["https://hooks.example/", "https://hooks.example/"],
      ["postgres://me:pw@db.example/x", "postgres://(hidden)@db.example/x"],
    ];
    for (const [text, start] of rows) expect(redactText(text)).toContain(start);
    expect(redactText(rows[0]?.[0] ?? "")).not.toMatch(/u:p|\/a|c=d|#e/);
    expect(redactText("https://hooks.example/a?b=c")).not.toMatch(/\/a|b=c/);
  });

  it("shows paths of this machine, without what follows them", () => {
    for (const url of ["http://127.0.0.1:4318/v1/traces", "http://localhost/x", "ws://[::1]:1/x"]) {
      expect(redactText(url)).toBe(url);
      expect(redactText(`${url}?key=abc`)).not.toContain("abc");
    }
  });

  it("hides keys and tokens, and leaves words", () => {
    const secrets = ["Bearer abcdef12", "whsec_abcdefgh12", `cq_${"0a".repeat(16)}_abcdefgh`];
    for (const secret of secrets) {
      expect(redactText(`failed: ${secret}.`)).not.toContain(secret.slice(-8));
    }
    const words = "the token is not accepted; it's the bearer's secret agent's 2nd task";
    expect(redactText(words)).toBe(words);
  });

  it("gives the same again, and takes time in proportion to the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const once = redactText(text);
        expect(redactText(once)).toBe(once);
      }),
    );
    for (const piece of ["a.", "https://", "token=", "-a", "eyJa.", "bearer "]) {
      expect(redactText(piece.repeat(2_000)).length).toBeGreaterThan(0);
    }
  });
});
