import { type Content, describePart, type MediaPart, mediaTypeOf } from "@colloquy/protocol";
import type { FilePart, TextPart } from "ai";

/** Base64 and its URL form, with or without filling. No URL is one, so that nothing is fetched. */
const BASE64 = /^[\w+/-]+={0,2}$/;

/**
 * Content of the user's side as parts of the AI SDK.
 *
 * A picture, sound or document becomes a file part. One that only refers to its data is never loaded
 * for a model: a note with the address stands in its place. Where data is not base64, a note in
 * parentheses stands in its place: what others have sent must not make a model call fail for ever,
 * and must never be taken for an address to fetch.
 */
export function toModelParts(content: Content): (TextPart | FilePart)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part) => (part.type === "text" ? toText(part.text) : toFile(part)));
}

/** Content as text alone, with notes in place of all that is none. */
export function toPlainText(content: Content | null): string {
  if (content === null || typeof content === "string") return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : noteOf(part))).join("\n\n");
}

/** What stands in the place of a file that a model cannot read. */
export function unreadNote(file: FilePart): TextPart {
  return toText(`(file: ${file.mediaType}, which the model cannot read)`);
}

function toFile(part: MediaPart): TextPart | FilePart {
  if (part.base64_data === "" && part.url) return toText(describePart(part, "not loaded"));
  const data = part.base64_data.replace(/\s+/g, "");
  if (!BASE64.test(data)) return toText(noteOf(part, ", whose data is unreadable"));
  const file = { type: "file", data, mediaType: mediaTypeOf(part) } as const;
  if (part.type === "document") {
    return part.title ? { ...file, filename: part.title } : file;
  }
  const detail = part.type === "image" ? part.detail : null;
  return detail ? { ...file, providerOptions: { openai: { imageDetail: detail } } } : file;
}

function noteOf(part: MediaPart, fault = ""): string {
  return `(${part.type}: ${mediaTypeOf(part)}${fault})`;
}

function toText(text: string): TextPart {
  return { type: "text", text };
}
