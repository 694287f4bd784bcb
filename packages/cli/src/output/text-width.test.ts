import { describe, expect, it } from "vitest";
import { clipText, padText, textWidth } from "./text-width.js";

describe("textWidth", () => {
  it("counts cells, not characters", () => {
    expect(textWidth("abc")).toBe(3);
    expect(textWidth("你好")).toBe(4);
    expect(textWidth("e\u0301")).toBe(1);
    expect(textWidth("👨‍👩‍👧")).toBe(2);
    expect(textWidth("🇩🇪")).toBe(2);
  });
});

describe("clipText", () => {
  it("keeps what fits and marks what was cut", () => {
    expect(clipText("abcdef", 6)).toBe("abcdef");
    expect(clipText("abcdef", 5)).toBe("abcd…");
    expect(clipText("abcdef", 1)).toBe("…");
    expect(clipText("abcdef", 0)).toBe("");
  });

  it("never cuts through a character", () => {
    expect(clipText("你好吗", 4)).toBe("你…");
    expect(clipText("a👨‍👩‍👧b", 3)).toBe("a…");
    expect(textWidth(clipText("你好你好", 5))).toBeLessThanOrEqual(5);
  });
});

describe("padText", () => {
  it("fills up with blanks and cuts nothing", () => {
    expect(padText("你", 4)).toBe("你  ");
    expect(padText("long", 2)).toBe("long");
  });
});
