import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EV_PACKET, EV_TEXT } from "../envelope/event-types.js";
import { EXCERPT_LENGTH, excerptAround } from "./excerpt-around.js";
import { foldText } from "./fold-text.js";
import { spokenText } from "./spoken-text.js";

describe("spokenText", () => {
  it.each([
    [EV_TEXT, { text: "hello" }, "hello"],
    [EV_TEXT, { body: "hello" }, ""],
    [EV_PACKET, { body: "done", text: "no" }, "done"],
    [EV_PACKET, { body: null }, ""],
    [
      EV_TEXT,
      { text: [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }] },
      "a\nb",
    ],
    [
      EV_TEXT,
      {
        text: "a",
        parts: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    [EV_TEXT, { parts: [{ type: "text", text: 3 }, null, "x"] }, ""],
    ["ag2.channel.closed", { text: "hello" }, ""],
  ])("of %s with %j is %j", (event_type, event_data, said) => {
    expect(spokenText({ event_type, event_data })).toBe(said);
  });

  it("is total for whatever a payload holds", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(EV_TEXT, EV_PACKET, "x"),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        (event_type, data, odd) => {
          for (const key of ["text", "body", "parts"]) {
            expect(spokenText({ event_type, event_data: { ...data, [key]: odd } })).toBeTypeOf(
              "string",
            );
          }
        },
      ),
    );
  });
});

describe("foldText", () => {
  it("makes one of all cases, and of both small sigmas", () => {
    expect(foldText("ΟΔΟΣ Straße ÉCOLE")).toBe("οδοσ straße école");
    expect(foldText("οδος")).toBe(foldText("ΟΔΟΣ"));
  });
});

describe("excerptAround", () => {
  it("gives a short text whole and a long one from its start when the words are there", () => {
    expect(excerptAround("a short text", "zzz")).toBe("a short text");
    const long = `find me ${"x".repeat(400)}`;
    expect(excerptAround(long, "FIND")).toBe(`${long.slice(0, 239)}…`);
    expect(excerptAround(long, "")).toBe(`${long.slice(0, 239)}…`);
  });

  it("shows words that stand further back, with a mark on each side that was cut", () => {
    const inside = excerptAround(`${"a ".repeat(300)}Needle${" b".repeat(300)}`, "needle");
    expect(inside).toMatch(/^… ?(a )+Needle( b)+ ?…$/);
    const atEnd = excerptAround(`${"a ".repeat(300)}Needle`, "needle");
    expect(atEnd).toMatch(/^… ?(a )+Needle$/);
    expect([...inside]).toHaveLength(EXCERPT_LENGTH);
    expect([...atEnd]).toHaveLength(EXCERPT_LENGTH);
  });

  it("never has too many characters, and always the words that fit", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 600 });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 }),
        text,
        (before, words, behind) => {
          const excerpt = excerptAround(before + words + behind, words);
          expect([...excerpt].length).toBeLessThanOrEqual(EXCERPT_LENGTH);
          expect(foldText(excerpt)).toContain(foldText(words));
        },
      ),
    );
  });
});
