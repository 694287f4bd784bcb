import type { ChannelAdapter, Content, Envelope } from "@colloquy/protocol";

/** What an envelope says, as its channel type renders it; empty for one that says nothing. */
export function shownText(
  adapter: Pick<ChannelAdapter, "renderEnvelope"> | null,
  envelope: Envelope,
): string {
  if (adapter !== null) return plain(adapter.renderEnvelope(envelope));
  const text = envelope.event_data["text"];
  return typeof text === "string" ? text : "";
}

function plain(content: Content | null): string {
  if (content === null) return "";
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
