import { describe, expect, it } from "vitest";
import { partShowsSomething, showsSomething } from "./shows-something.js";

describe("showsSomething", () => {
  it.each([
    null,
    "",
    "  \t\r\n",
    "\u00a0\u2003\u3000",
    "\u200b\ufeff\u2060\u00ad",
    "\u0000\u001c\u0085\u2028\u2029",
    [],
  ])("F-038 says no to %j", (content) => {
    expect(showsSomething(content)).toBe(false);
  });

  it.each(["a", " . ", "0", "\u200b!", "👩‍💻", "\n\nlast line"])("says yes to %j", (content) => {
    expect(showsSomething(content)).toBe(true);
  });

  it("F-038 looks into parts", () => {
    const blank = { type: "text", text: " " } as const;
    const image = { type: "image", base64_data: "AA==", media_type: "image/png" } as const;
    expect(showsSomething([blank, { ...image, base64_data: "" }])).toBe(false);
    expect(showsSomething([blank, image])).toBe(true);
    expect(partShowsSomething({ type: "text", text: "x" })).toBe(true);
    expect(partShowsSomething({ type: "audio", base64_data: "", format: "wav" })).toBe(false);
  });
});
