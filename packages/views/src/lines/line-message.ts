import type { Content, Message, ViewContext } from "@colloquy/protocol";
import { speakerName } from "../names/speaker-name.js";
import { guardText } from "./guard-text.js";
import type { ShownLine } from "./shown-lines.js";

/** Options of {@link lineMessage}. */
export interface LineOptions {
  /** True to begin others' lines with `[<name>]: `. */
  readonly labelled: boolean;
}

/**
 * One line as a message: the participant's own as the assistant's, bare; everybody else's as the
 * user's, labelled or not, with lines quoted that would pass for a label or a summary.
 *
 * A label goes into the leading text; content that begins with a picture, sound or document gets
 * the label as a text part before it.
 */
export function lineMessage(
  { envelope, content }: ShownLine,
  context: ViewContext,
  { labelled }: LineOptions,
): Message {
  const sender = envelope.sender_id;
  if (sender === context.participantId) return { role: "assistant", content };
  const label = labelled ? `[${speakerName(context.nameFor(sender), sender)}]:` : "";
  return { role: "user", content: asOthersLine(content, label) };
}

function asOthersLine(content: Content, label: string): Content {
  if (typeof content === "string") return othersText(content, label);
  const labels = label !== "";
  const [first, ...rest] = content;
  const guarded = rest.map((part) =>
    part.type === "text"
      ? { ...part, text: guardText(part.text, { labels, behindLabel: false }) }
      : part,
  );
  if (first === undefined) return guarded;
  if (first.type === "text") return [{ ...first, text: othersText(first.text, label) }, ...guarded];
  return labels ? [{ type: "text", text: label }, first, ...guarded] : [first, ...guarded];
}

function othersText(text: string, label: string): string {
  if (label === "") return guardText(text, { labels: false, behindLabel: false });
  return `${label} ${guardText(text, { labels: true, behindLabel: true })}`;
}
