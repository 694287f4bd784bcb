import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../errors/network-error.js";
import { AGENT_NAME_RULE, checkAgentName, foldName, providerHandle } from "./agent-name.js";

describe("checkAgentName", () => {
  it.each([
    "a",
    "Alice B",
    "李雷",
    "Zoë",
    "👩‍🚀",
    "x".repeat(64),
    "👋".repeat(64),
    "systems",
    "a/b@c",
  ])("accepts %j", (name) => {
    expect(checkAgentName(name)).toBe(name.normalize("NFC"));
  });

  it("gives the composed form", () => {
    expect(checkAgentName("Zoe\u0308")).toBe("Zo\u00eb");
  });

  it.each([
    "",
    " ",
    " a",
    "a ",
    "\u3000a",
    "x".repeat(65),
    "a\nb",
    "a\rb",
    "a\u2028b",
    "a\u0000",
    "a\u007f",
    "a\u0085b",
    "\ud800",
    "[a",
    "a]",
    "a:b",
    "\u200b",
    "system",
    "User",
    "ＴＯＯＬ",
    "hu\u200bb",
    "Operator",
    "s\u0443stem",
    "\u039fperator",
    "\u202eecila",
    "bob\u2067",
    "Assistant",
    "developer",
  ])("refuses %j and states the rule", (name) => {
    expect(() => checkAgentName(name)).toThrow(InvalidInputError);
    expect(() => checkAgentName(name)).toThrow(AGENT_NAME_RULE);
  });

  it("refuses what is no text", () => {
    expect(() => checkAgentName(7 as unknown as string)).toThrow("not a text");
  });
});

describe("foldName", () => {
  it.each([
    ["Bob", "bob"],
    ["ＢＯＢ", "bob"],
    ["bob  the\u00a0 builder ", "bob the builder"],
    ["bo\u200bb", "bob"],
    ["b\u043eb", "bob"],
    ["\u0412\u041e\u0412", "bob"],
    ["\u0430lic\u0435", "alice"],
    ["n\u03bf", "no"],
    ["\u0435\u0301", "\u00e9"],
    ["\u0436\u0434\u0438", "\u0436\u0434\u0438"],
    ["Zoe\u0308", "zo\u00eb"],
    ["Zoe\u200b\u0308", "zo\u00eb"],
  ])("%j is %j", (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it("folds twice like once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("providerHandle", () => {
  it("keeps a name that fits", () => {
    expect(providerHandle("alice_B-2")).toBe("alice_B-2");
  });

  it("keeps what is readable of any other", () => {
    expect(providerHandle("Zoë B.")).toMatch(/^Zoe_B-[0-9a-f]{8}$/);
    expect(providerHandle("李雷")).toMatch(/^agent-[0-9a-f]{8}$/);
  });

  it("tells apart names that look alike once cut", () => {
    expect(new Set(["a b", "a_b", "a.b", "a  b", "李雷", "韩梅"].map(providerHandle)).size).toBe(6);
  });

  it("always fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
        expect(providerHandle(name)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });
});
