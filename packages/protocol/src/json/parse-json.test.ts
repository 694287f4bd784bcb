import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../errors/network-error.js";
import { describeKind } from "./describe-kind.js";
import { parseJson } from "./parse-json.js";

describe("parseJson", () => {
  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!JSON.stringify(JSON.parse(text)).includes("__proto__"));
        expect(parseJson(text, { maxDepth: 100 })).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(["", "{", "nul", "[1,]", "{'a':1}", "01", "NaN", '"\n"', "1 2"])(
    "refuses malformed text %j",
    (text) => {
      expect(() => parseJson(text)).toThrow(InvalidInputError);
    },
  );

  it("names the position, never the text", () => {
    const secret = '{"token":"hunter2",}';
    expect(() => parseJson(secret)).toThrow(/not valid JSON at position 19/);
    expect(() => parseJson(secret)).not.toThrow(/hunter2/);
    expect(() => parseJson('{"a":')).toThrow(/at position 5/);
  });

  it("counts depth to the exact level, ignoring brackets in strings", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseJson(nested(64))).not.toThrow();
    expect(() => parseJson(nested(65))).toThrow(/deeper than 64 levels at position 64/);
    expect(() => parseJson(nested(3), { maxDepth: 2 })).toThrow(/deeper than 2/);
    expect(parseJson(`["${"[{".repeat(100)}\\"${"[".repeat(100)}"]`, { maxDepth: 1 })).toHaveLength(
      1,
    );
    expect(parseJson("[[],[],{},[{}]]", { maxDepth: 3 })).toEqual([[], [], {}, [{}]]);
  });

  it("survives a text that nests a million levels", () => {
    expect(() => parseJson("[".repeat(1_000_000))).toThrow(InvalidInputError);
  });

  it.each([
    '{"__proto__":{"polluted":true}}',
    '{"a":[{"b":{"__proto__":1}}]}',
    '{"\\u005f_proto__":1}',
    '{"__pr\\u006Fto__":1}',
    '{"__\\u0070\\u0072\\u006f\\u0074\\u006f__":1}',
  ])("refuses the forbidden key in %s", (text) => {
    expect(() => parseJson(text)).toThrow(/"__proto__"/);
  });

  it("accepts the forbidden word as a value, and other keys of objects", () => {
    expect(parseJson('{"a":"__proto__","constructor":1}')).toEqual({
      a: "__proto__",
      constructor: 1,
    });
  });

  it("never yields an object whose prototype can be changed by copying it", () => {
    const escaped = fc
      .array(fc.boolean(), { minLength: 9, maxLength: 9 })
      .map((mask) =>
        Array.from("__proto__", (letter, at) =>
          mask[at] === true ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
        ).join(""),
      );
    const wrapped = fc.tuple(escaped, fc.nat(10), fc.json({ maxDepth: 2 }));
    fc.assert(
      fc.property(wrapped, ([key, depth, inner]) => {
        const text = `${'{"a":['.repeat(depth)}{"${key}":${inner}}${"]}".repeat(depth)}`;
        expect(() => parseJson(text)).toThrow(InvalidInputError);
      }),
    );
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

describe("describeKind", () => {
  it.each([
    [undefined, "missing"],
    [null, "null"],
    [[], "array"],
    [{}, "object"],
    [1, "integer"],
    [1.5, "number"],
    [Number.NaN, "number"],
    ["", "string"],
    [true, "boolean"],
    [1n, "bigint"],
    [() => 1, "function"],
  ])("%o is %s", (value, kind) => {
    expect(describeKind(value)).toBe(kind);
  });
});
