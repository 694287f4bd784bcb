import { type Content, type ContentPart, describePart } from "@colloquy/protocol";
import * as z from "zod";

/** Kinds of parts beside text that a view can be told to show. */
export const partKindsSchema = z.array(z.enum(["image", "audio", "document"]));
/** See {@link partKindsSchema}. */
export type PartKinds = z.infer<typeof partKindsSchema>;

/** Content in which every part of another kind gives way to a note that says what stood there. */
export function showKinds(content: Content, kinds: PartKinds | undefined): Content {
  if (kinds === undefined || typeof content === "string") return content;
  const shown = content.map((part): ContentPart => {
    if (part.type === "text" || kinds.includes(part.type)) return part;
    return { type: "text", text: describePart(part) };
  });
  const texts = shown.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === shown.length ? texts.join("\n") : shown;
}
