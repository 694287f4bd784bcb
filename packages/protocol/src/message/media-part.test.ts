import { describe, expect, it } from "vitest";
import { contentPartSchema } from "./content-part.js";
import { describePart, faultOfPart, inlineBytes } from "./media-part.js";

const part = (fields: Record<string, unknown>) =>
  contentPartSchema.parse({ type: "image", media_type: "image/png", ...fields });

describe("a part that an envelope carries", () => {
  it.each([
    [{ base64_data: "AAAA" }],
    [{ base64_data: "AA==" }],
    [{ url: "https://example.org/a.png", size_bytes: 12, sha256: "0".repeat(64) }],
    [{ type: "audio", media_type: undefined, base64_data: "AAA=", format: "mp3" }],
  ])("may be %j", (fields) => {
    const { media_type, ...rest } = { media_type: "image/png", ...fields } as Record<
      string,
      unknown
    >;
    const given = media_type === undefined ? rest : { ...rest, media_type };
    expect(faultOfPart(contentPartSchema.parse({ type: "image", ...given }))).toBeNull();
  });

  it.each([
    [{}, "base64_data"],
    [{ base64_data: "AAAA", url: "https://example.org/" }, "base64_data"],
    [{ base64_data: "AAA" }, "base64_data"],
    [{ base64_data: "AA AA" }, "base64_data"],
    [{ base64_data: "https://example.org/" }, "base64_data"],
    [{ url: "file:///etc/passwd" }, "url"],
    [{ url: "javascript:alert(1)" }, "url"],
    [{ url: `https://example.org/${"x".repeat(2_048)}` }, "url"],
    [{ base64_data: "AAAA", media_type: "png" }, "media_type"],
    [{ base64_data: "AAAA", sha256: "AB" }, "sha256"],
  ])("may not be %j: the fault is in %s", (fields, field) => {
    expect(faultOfPart(part(fields))?.field).toBe(field);
  });

  it("has a size, and a description that stands in its place", () => {
    expect(
      ["AAAA", "AAA=", "AA==", ""].map((base64_data) => inlineBytes(part({ base64_data }))),
    ).toEqual([3, 2, 1, 0]);
    expect(describePart(part({ base64_data: "AAAA" }) as never)).toBe(
      "[image image/png, 3 B: not shown]",
    );
    const url = "https://example.org/r.pdf";
    const report = contentPartSchema.parse({
      type: "document",
      url,
      title: "R",
      size_bytes: 20_000,
    });
    expect(describePart(report as never)).toBe(
      `[document application/pdf "R", 20 KiB at ${url}: not shown]`,
    );
  });
});
