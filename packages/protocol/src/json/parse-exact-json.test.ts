import { describe, expect, it } from "vitest";
import { withoutNumberFaults } from "./number-faults.js";
import { isNumberFault, parseExactJson } from "./parse-exact-json.js";

function faultOf(text: string): unknown {
  try {
    parseExactJson(text);
  } catch (error) {
    return isNumberFault(error) ? error.details : error;
  }
  return null;
}

describe("parseExactJson", () => {
  it.each([
    ...["0", "-0", "1.0", "1e300", "-1e-400", "0.1234567890123456789", "9007199254740991"],
    ...[
      "9007199254740992",
      "100000000000000000000",
      "1000000000000000000000",
      "12345678901234567000",
    ],
    ...['"12345678901234567890"', '{"12345678901234567890":"NaN"}', '["\\"", 1, "Infinity"]'],
  ])("keeps %s", (text) => {
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ["9007199254740993", 0],
    ['{"a":"12345678901234567890","b":-12345678901234567890}', 32],
    [`[1, ${"9".repeat(400)}]`, 4],
    ["[1e999, 12345678901234567890]", 1],
  ])("refuses %s and says where", (text, number_at) => {
    expect(faultOf(text)).toMatchObject({ number_at, remedy: expect.stringContaining("as texts") });
  });

  it.each([
    ['{"text":"NaN","v":NaN}', 18],
    ["[-Infinity]", 1],
    ['["a\\"NaN", Infinity]', 11],
  ])("names what no JSON has, of %s", (text, number_at) => {
    expect(faultOf(text)).toMatchObject({
      number_at,
      received: expect.stringContaining("is no JSON"),
    });
  });

  it("leaves any other fault as it is", () => {
    expect(faultOf('{"a":"NaN"')).toMatchObject({ details: { received: "malformed JSON" } });
    expect(faultOf("[nan]")).toMatchObject({ details: { received: "malformed JSON" } });
    expect(isNumberFault(faultOf("{"))).toBe(false);
  });

  it("can be read around a number at fault", () => {
    const text = '{"a":[NaN,-Infinity,1.5],"b":"NaN","c":12345678901234567890}';
    expect(JSON.parse(withoutNumberFaults(text))).toEqual({
      a: [null, null, 1.5],
      b: "NaN",
      c: null,
    });
  });

  it("takes no long look at a number without end", () => {
    expect(faultOf(`[${"9".repeat(1_000_000)}]`)).toMatchObject({ number_at: 1 });
  });
});
