import type { Content, Message } from "@colloquy/protocol";
import { escapeLines, escapeText, toSafeJson } from "../output/escape-text.js";
import { formatBytes } from "../output/format-values.js";
import type { Styles } from "../output/styles.js";

const INDENT = "  ";

/** A message of a model history for people: its role, then its content. */
export function messageLines(message: Message, styles: Styles): string[] {
  const about = message.event_count === undefined ? "" : ` (stands for ${message.event_count})`;
  return [
    styles.strong(message.role) + styles.faint(about),
    ...contentLines(message.content),
    ...(message.tool_calls ?? []).map(
      (call) => `${INDENT}calls ${escapeText(call.name)} ${toSafeJson(call.arguments)}`,
    ),
  ];
}

/** Content for people: text line by line, anything else by what it is and how large. */
export function contentLines(content: Content | null): string[] {
  if (content === null) return [];
  if (typeof content === "string") return indent(content);
  return content.flatMap((part) => {
    if (part.type === "text") return indent(part.text);
    const bytes = Math.floor((part.base64_data.length * 3) / 4);
    return [`${INDENT}[${part.type}, ${formatBytes(bytes)}]`];
  });
}

function indent(text: string): string[] {
  return escapeLines(text).map((line) => INDENT + line);
}
