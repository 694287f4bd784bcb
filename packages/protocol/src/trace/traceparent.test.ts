import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTraceparent, parseTraceparent } from "./traceparent.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

describe("parseTraceparent", () => {
  it("reads the four parts", () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      ...{ traceId: TRACE, spanId: SPAN, flags: 1 },
    });
  });

  it("reads a later version, whatever it adds", () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-00-more`)?.traceId).toBe(TRACE);
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-ff`)?.flags).toBe(255);
  });

  it.each([
    null,
    undefined,
    "",
    "t1",
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
  ])("takes %j for none", (text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  it("reads what formatTraceparent writes", () => {
    const hex = (length: number) =>
      fc
        .array(fc.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length })
        .map((parts) => parts.join(""))
        .filter((text) => !/^0+$/.test(text));
    const contexts = fc.record({
      ...{ traceId: hex(32), spanId: hex(16), flags: fc.integer({ min: 0, max: 255 }) },
    });
    fc.assert(
      fc.property(contexts, (context) => {
        expect(parseTraceparent(formatTraceparent(context))).toEqual(context);
      }),
    );
  });
});
