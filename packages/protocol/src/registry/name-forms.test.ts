import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldName, mixesAlphabets, nameKeys } from "./name-forms.js";

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

describe("nameKeys", () => {
  const clash = (a: string, b: string): boolean =>
    nameKeys(a).some((key) => nameKeys(b).includes(key));

  it.each([
    ["AI", "Al"],
    ["node-1", "node-l"],
    ["node-I", "node-l"],
    ["O2", "02"],
    ["modern", "modem"],
    ["sc\u043epe", "scope"],
    ["\u0455\u0441\u043e\u0440\u0435", "scope"],
    ["\u057d\u0585", "uo"],
    ["\u13aa\u13df", "AC"],
    ["Planner", "planner"],
  ])("%j and %j clash", (a, b) => {
    expect(clash(a, b)).toBe(true);
  });

  it.each([
    ["ai", "al"],
    ["a1", "a2"],
    ["\u0430\u043d\u043d\u0430", "anna"],
    ["Ada", "Adam"],
    ["node 1", "node-1"],
  ])("%j and %j do not", (a, b) => {
    expect(clash(a, b)).toBe(false);
  });

  it("hold the fold first, and never mistake the one form for the other", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const [folded, drawn] = nameKeys(name);
        expect(folded).toBe(foldName(name));
        expect(drawn.startsWith("drawn ")).toBe(true);
      }),
    );
  });
});

describe("mixesAlphabets", () => {
  it.each(["\u0410lice", "p\u03b1rt", "b\u043eb", "x \u13aalice"])("sees %j", (name) => {
    expect(mixesAlphabets(name)).toBe(true);
  });

  it.each(["Анна QA", "研究bot", "naïve", "José", "α-beta", "کاوه bot", "", "Zoe\u0308"])(
    "lets %j pass",
    (name) => {
      expect(mixesAlphabets(name)).toBe(false);
    },
  );
});
