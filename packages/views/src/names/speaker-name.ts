/** What could end a label or a line, or reorder what is shown. */
const UNSAFE = /[[\]:\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const OUTER_BLANKS = /^\s+|\s+$/gu;
/** Looks like one of the escapes made here, so that its `%` must be escaped itself. */
const ESCAPE_LIKE = /%(?=[0-9A-F]{2})/g;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

const encoder = new TextEncoder();

/**
 * A speaker's name as views show it: on one line, without `[`, `]` or `:`.
 *
 * Those, control characters, line breaks, marks that reorder text, and blanks at either end become
 * percent escapes of their UTF-8 bytes (`]` is `%5D`). Different names stay different, and a name
 * that keeps the rule for names is shown as it is. A name with nothing to see gives way to the id.
 *
 * @param name - what the resolver said
 * @param agentId - shown, escaped alike, when the name is blank
 */
export function speakerName(name: string, agentId: string): string {
  const shown = VISIBLE.test(name) ? name : agentId;
  return shown
    .replace(ESCAPE_LIKE, "%25")
    .replace(UNSAFE, percentEncode)
    .replace(OUTER_BLANKS, percentEncode);
}

function percentEncode(text: string): string {
  return Array.from(encoder.encode(text), (byte) => `%${hex(byte)}`).join("");
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}
