import { expect, it } from "vitest";
import { parseForeignJson } from "./parse-foreign-json.js";

it("reads what Python writes: numbers that are none are null, texts stay", () => {
  const text = '{"a":[NaN,-Infinity,Infinity,1.5],"b":"NaN \\" Infinity","c":12345678901234567890}';
  expect(parseForeignJson(text)).toEqual({
    a: [null, null, null, 1.5],
    b: 'NaN " Infinity',
    c: Number("12345678901234567890"),
  });
  expect(parseForeignJson('["NaN"]')).toEqual(["NaN"]);
});

it("refuses what is broken otherwise", () => {
  for (const text of ["", "{", "[NaN", "[NaNN]", "[nan]", "{NaN:1}", '{"__proto__":NaN}']) {
    expect(() => parseForeignJson(text), text).toThrow();
  }
});
