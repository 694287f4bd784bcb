import { describe, expect, it } from "vitest";
import { envelopePartsSchema, partsOf, withParts } from "./envelope-content.js";

const envelope = (event_data: Record<string, unknown>) => ({ event_data });

describe("what an envelope says", () => {
  const image = { type: "image", base64_data: "AAAA", media_type: "image/png" };

  it("is its text, or its text and its parts", () => {
    expect(withParts("hi", envelope({ text: "hi" }))).toBe("hi");
    expect(withParts(" ", envelope({ text: " " }))).toBeNull();
    expect(withParts(" ", envelope({ parts: [image] }))).toEqual([image]);
    expect(withParts("hi", envelope({ parts: [image, { type: "text", text: "" }] }))).toEqual([
      { type: "text", text: "hi" },
      image,
    ]);
    const reference = { type: "image", url: "https://example.org/a.png", media_type: "image/png" };
    expect(withParts("", envelope({ parts: [reference] }))).toMatchObject([reference]);
  });

  it("is read without parts where they have another shape", () => {
    expect(partsOf(envelope({ parts: ["secret"] }))).toEqual([]);
    expect(withParts("hi", envelope({ parts: 7 }))).toBe("hi");
  });

  it("is refused before the log where a part is wrong", () => {
    const good = envelopePartsSchema.safeParse([image]);
    const bad = envelopePartsSchema.safeParse([image, { ...image, base64_data: "AAA" }]);
    expect([good.success, bad.success]).toEqual([true, false]);
    expect(bad.error?.issues[0]?.path).toEqual([1, "base64_data"]);
  });
});
