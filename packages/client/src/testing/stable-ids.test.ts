import { describe, expect, it } from "vitest";
import { describeDifference } from "./describe-difference.js";
import { createStableIds } from "./stable-ids.js";
import { toPlainJson } from "./to-plain-json.js";

const A = "a1".repeat(16);
const B = "b2".repeat(16);

describe("createStableIds", () => {
  it("numbers ids by their first place, and puts those of another run in again", () => {
    const recorded = createStableIds();
    expect(recorded.hide(`${A} to ${B}, again ${A}`)).toBe("<id-1> to <id-2>, again <id-1>");
    const replayed = createStableIds();
    replayed.hide(`${B} to ${A}`);
    expect(replayed.show(recorded.hideKnown(`It was ${B}.`))).toBe(`It was ${A}.`);
  });

  it("leaves alone what is no id, an id that was not asked about, and a mark without one", () => {
    const ids = createStableIds();
    expect(ids.hide(`${A}0 ${A.toUpperCase()} abc`)).toBe(`${A}0 ${A.toUpperCase()} abc`);
    expect(ids.hideKnown(B)).toBe(B);
    expect(ids.show("<id-7>")).toBe("<id-7>");
  });

  it("marks moments", () => {
    expect(
      createStableIds().hide(
        "2026-01-01T00:00:00Z, 2026-01-01T00:00:00.123456+00:00, on 2026-01-01",
      ),
    ).toBe("<time>, <time>, on 2026-01-01");
  });
});

describe("toPlainJson", () => {
  it("makes JSON of everything, without secrets", () => {
    const value = {
      ...{ a: undefined, b: [1, null, true], c: new URL("http://x.test/"), d: new Uint8Array(2) },
      e: { apiKey: "k", Authorization: "k", clientSecret: "k", tokens: "5", key: "plain" },
      f: () => 1,
    };
    const maps = {
      onText: (text: string) => text,
      onBytes: (bytes: Uint8Array) => `${bytes.length}`,
    };
    expect(toPlainJson(value, maps)).toEqual({
      ...{ b: [1, null, true], c: "http://x.test/", d: "2" },
      e: {
        ...{ apiKey: "(hidden)", Authorization: "(hidden)", clientSecret: "(hidden)" },
        ...{ tokens: "5", key: "plain" },
      },
      f: null,
    });
  });
});

describe("describeDifference", () => {
  it.each([
    [{ a: [1, "x"] }, { a: [1, "x"] }, null],
    [{ a: 1 }, { a: 1, b: 2 }, "at request.b: recorded nothing, asked 2"],
    [{ a: [1] }, { a: [1, { b: 2 }] }, 'at request.a[1]: recorded nothing, asked {"b":2}'],
    [{ a: "1" }, { a: 1 }, 'at request.a: recorded "1", asked 1'],
    [{ a: null }, { a: {} }, "at request.a: recorded null, asked {}"],
    [
      { a: "same, then" },
      { a: "same, now" },
      'at request.a, character 7: recorded "same, then", asked "same, now"',
    ],
  ])("of %o and %o is %s", (recorded, asked, difference) => {
    expect(describeDifference(recorded, asked)).toBe(difference);
  });

  it("shows of long texts what is around the place", () => {
    const text = (middle: string) => `${"a".repeat(100)}${middle}${"b".repeat(100)}`;
    expect(describeDifference(text("1"), text("2"), "text")).toBe(
      `at text, character 101: recorded "…${"a".repeat(40)}1${"b".repeat(39)}…", asked "…${"a".repeat(40)}2${"b".repeat(39)}…"`,
    );
  });
});
