import type { Content, ContentPart, Message } from "@colloquy/protocol";

/** Stands between two texts that become one. */
const BETWEEN_TEXTS = "\n\n";

/**
 * Makes one message of neighbours in the same role.
 *
 * Texts are joined by a blank line; as soon as one has parts, the parts stand one after the other.
 * Tool results stay apart, and so does what follows a message with tool calls.
 */
export function mergeNeighbours(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const previous = merged.at(-1);
    if (previous !== undefined && canMerge(previous, message)) {
      merged[merged.length - 1] = {
        ...message,
        content: joinContent(previous.content, message.content),
      };
    } else {
      merged.push(message);
    }
  }
  return merged;
}

function canMerge(previous: Message, next: Message): boolean {
  return (
    previous.role === next.role && previous.role !== "tool" && previous.tool_calls === undefined
  );
}

function joinContent(first: Content | null, second: Content | null): Content | null {
  if (first === null || second === null) return first ?? second;
  if (typeof first === "string" && typeof second === "string") {
    return first + BETWEEN_TEXTS + second;
  }
  return [...toParts(first), ...toParts(second)];
}

function toParts(content: Content): ContentPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
