import {
  type Content,
  type ContentPart,
  type Message,
  partShowsSomething,
  showsSomething,
} from "@colloquy/protocol";
import { SUMMARY_HEADING } from "../summary/summary-heading.js";

/** Stands for a tool result that is blank. */
export const NO_OUTPUT = "(no output)";

/**
 * One message without blank parts, in a role that every provider knows; none when nothing is left.
 *
 * A summary becomes the user's, headed by {@link SUMMARY_HEADING}. A blank tool result becomes
 * {@link NO_OUTPUT}. Outside user messages and tool results providers take text only, so that a
 * picture, sound or document becomes a note in parentheses.
 */
export function cleanMessage(message: Message): Message[] {
  const content = withoutBlanks(message.content);
  switch (message.role) {
    case "compaction_summary":
      return content === null ? [] : [{ role: "user", content: underHeading(content) }];
    case "tool":
      return [{ ...message, content: content ?? NO_OUTPUT }];
    case "user":
      return content === null ? [] : [{ role: "user", content }];
    case "assistant":
      return cleanAssistant(message, content);
    case "system":
    case "developer":
      return content === null ? [] : [{ role: message.role, content: textOnly(content) }];
  }
}

function cleanAssistant({ tool_calls = [] }: Message, content: Content | null): Message[] {
  const spoken = content === null ? null : textOnly(content);
  if (tool_calls.length > 0) return [{ role: "assistant", content: spoken, tool_calls }];
  return spoken === null ? [] : [{ role: "assistant", content: spoken }];
}

function withoutBlanks(content: Content | null): Content | null {
  if (!showsSomething(content)) return null;
  return typeof content === "string" ? content : content.filter(partShowsSomething);
}

function underHeading(content: Content): Content {
  if (typeof content === "string") return `${SUMMARY_HEADING}\n${content}`;
  return [{ type: "text", text: SUMMARY_HEADING }, ...content];
}

function textOnly(content: Content): Content {
  if (typeof content === "string") return content;
  return content.map((part) =>
    part.type === "text" ? part : { type: "text", text: mediaNote(part) },
  );
}

function mediaNote(part: Exclude<ContentPart, { type: "text" }>): string {
  return `(${part.type}: ${part.type === "audio" ? part.format : part.media_type})`;
}
