import { describe, expect, it } from "vitest";
import { toModelParts, toPlainText } from "./to-model-parts.js";

describe("toModelParts", () => {
  it("gives each kind of part the shape and the type that providers look for", () => {
    expect(
      toModelParts([
        { type: "text", text: "Look:" },
        { type: "image", base64_data: "AA==", media_type: "image/png", detail: "low" },
        { type: "image", base64_data: "AA==", media_type: "image/gif" },
        { type: "audio", base64_data: "AA==", format: "mp3" },
        { type: "audio", base64_data: "AA==", format: "wav" },
        { type: "document", base64_data: "AA==", media_type: "application/pdf", title: "Report" },
        { type: "document", base64_data: "AA==", media_type: "text/plain", title: null },
      ]),
    ).toEqual([
      { type: "text", text: "Look:" },
      {
        ...{ type: "file", data: "AA==", mediaType: "image/png" },
        providerOptions: { openai: { imageDetail: "low" } },
      },
      { type: "file", data: "AA==", mediaType: "image/gif" },
      { type: "file", data: "AA==", mediaType: "audio/mpeg" },
      { type: "file", data: "AA==", mediaType: "audio/wav" },
      { type: "file", data: "AA==", mediaType: "application/pdf", filename: "Report" },
      { type: "file", data: "AA==", mediaType: "text/plain" },
    ]);
  });

  it.each([
    "http://169.254.169.254/latest",
    "data:image/png;base64,AA==",
    "file:///etc/passwd",
    "?",
  ])("takes no address for a picture: %s", (base64_data) => {
    expect(toModelParts([{ type: "image", base64_data, media_type: "image/png" }])).toEqual([
      { type: "text", text: "(image: image/png, whose data is unreadable)" },
    ]);
  });

  it("takes base64 with line breaks, and in its form for URLs", () => {
    const image = (base64_data: string) =>
      toModelParts([{ type: "image", base64_data, media_type: "image/png" }])[0];
    expect(image("AA\r\nAA ==\n")).toMatchObject({ data: "AAAA==" });
    expect(image("-_8")).toMatchObject({ data: "-_8" });
  });
});

describe("toPlainText", () => {
  it("puts notes in place of what is no text", () => {
    expect(toPlainText(null)).toBe("");
    expect(toPlainText("Hi.")).toBe("Hi.");
    expect(
      toPlainText([
        { type: "text", text: "Hi." },
        { type: "audio", base64_data: "AA==", format: "wav" },
        { type: "document", base64_data: "AA==", media_type: "application/pdf" },
      ]),
    ).toBe("Hi.\n\n(audio: audio/wav)\n\n(document: application/pdf)");
  });
});
