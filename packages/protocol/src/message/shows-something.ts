import type { Content, ContentPart } from "./content-part.js";

/** Anything a reader could see: no white space, control, format or otherwise invisible character. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * True when content has at least one thing to show: a text with a visible character, or a picture,
 * sound or document with data, here or at an address.
 *
 * This is the one test for "nothing said": views make no entry of content that fails it, and
 * whoever cuts a slice of a WAL does not count it. Invisible is what Unicode calls white space,
 * separator, control, format or default-ignorable.
 *
 * @param content - what an adapter made of an envelope; null for nothing
 */
export function showsSomething(content: Content | null): content is Content {
  if (content === null) return false;
  return typeof content === "string" ? VISIBLE.test(content) : content.some(partShowsSomething);
}

/** {@link showsSomething} for one part. */
export function partShowsSomething(part: ContentPart): boolean {
  return part.type === "text"
    ? VISIBLE.test(part.text)
    : part.base64_data !== "" || (part.url ?? "") !== "";
}
