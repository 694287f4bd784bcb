import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeLines, escapeText, toSafeJson } from "./escape-text.js";

const DANGEROUS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u;

describe("escapeText", () => {
  it("shows controls instead of obeying them", () => {
    expect(escapeText("a\u001b[2Jb\nc\td\r\u0007\u009b")).toBe(
      "a\\u{1b}[2Jb\\nc\\td\\r\\u{7}\\u{9b}",
    );
    expect(escapeText("abc\u202edef\u2066\u200b\u2028\ud800")).toBe(
      "abc\\u{202e}def\\u{2066}\\u{200b}\\u{2028}\\u{d800}",
    );
    expect(escapeText("\u{e0041}")).toBe("\\u{e0041}");
  });

  it("leaves words of every script and joined pictures alone", () => {
    for (const text of ["Grüße", "你好", "नमस्ते", "می‌خواهم", "👨‍👩‍👧", "a ~ \\n"]) {
      expect(escapeText(text)).toBe(text);
    }
  });

  it("never lets a dangerous character through", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(DANGEROUS.test(escapeText(text))).toBe(false);
        for (const line of escapeLines(text)) expect(DANGEROUS.test(line)).toBe(false);
      }),
    );
  });
});

describe("escapeLines", () => {
  it("keeps line breaks as lines", () => {
    expect(escapeLines("a\r\nb\n\tc\rd")).toEqual(["a", "b", "\\tc", "d"]);
  });
});

describe("toSafeJson", () => {
  it("parses to the same value and holds nothing dangerous", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = toSafeJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(DANGEROUS.test(text)).toBe(false);
      }),
    );
  });

  it("breaks lines only where it lays out", () => {
    expect(toSafeJson({ a: "x\n\u009b2J" }, 2)).toBe('{\n  "a": "x\\n\\u009b2J"\n}');
  });
});
