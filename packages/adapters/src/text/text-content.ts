import {
  type Content,
  type Envelope,
  EV_TEXT,
  showsSomething,
  withParts,
} from "@colloquy/protocol";

/** True for text without a visible character. Views never show such text. */
export function isBlank(text: string): boolean {
  return !showsSomething(text);
}

/** The text of an EV_TEXT (missing is empty); null for other types and other kinds of value. */
export function textOf(envelope: Envelope): string | null {
  if (envelope.event_type !== EV_TEXT) return null;
  const text = envelope.event_data["text"] ?? "";
  return typeof text === "string" ? text : null;
}

/** What a text shows in a view, its parts too; null for other types, and where nothing is said. */
export function renderText(envelope: Envelope): Content | null {
  return envelope.event_type === EV_TEXT ? withParts(textOf(envelope), envelope) : null;
}
