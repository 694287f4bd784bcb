import fc from "fast-check";
import { expect, it } from "vitest";
import { isNumberFault, parseExactJson } from "./parse-exact-json.js";

it("keeps everything that JSON.stringify writes", () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(double)), (value) => {
      const text = JSON.stringify(value);
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it("takes a whole number exactly when it comes out as it went in", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (whole) => {
      const text = `{"text":"${whole}","whole":${whole}}`;
      const out = BigInt(Number(whole));
      const isSame = out === whole || JSON.stringify(Number(whole)) === String(whole);
      if (isSame) expect(parseExactJson(text)).toEqual(JSON.parse(text));
      else expect(() => parseExactJson(text)).toThrow(/cannot be kept exactly/);
    }),
  );
});

it("never takes any text for a number's fault that has none, and never fails otherwise than JSON.parse", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'0123456789-+.eEINaftyn\\"[]{},: ') }),
      (text) => {
        try {
          parseExactJson(text);
        } catch (error) {
          if (!isNumberFault(error)) expect(() => JSON.parse(text)).toThrow();
        }
      },
    ),
  );
});
