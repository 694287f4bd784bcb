import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_INVITE,
  EV_PACKET,
  EV_TEXT,
  packetPayloadSchema,
} from "@colloquy/protocol";

/** Most characters of a content that are looked at for a preview. */
const MAX_LOOKED_AT = 4_000;

/**
 * What an envelope says, in words, for a person who reads a WAL. Not escaped.
 *
 * @param nameOf - the name of an agent
 */
export function previewContent(envelope: Envelope, nameOf: (agentId: string) => string): string {
  const data = envelope.event_data;
  switch (envelope.event_type) {
    case EV_TEXT:
      return cut(typeof data["text"] === "string" ? data["text"] : json(data));
    case EV_PACKET:
      return cut(previewPacket(envelope, nameOf));
    case EV_CHANNEL_INVITE:
      return cut(`to ${String(data["manifest_type"])}`);
    case EV_CHANNEL_CLOSED:
    case EV_CHANNEL_EXPIRED:
      return cut(String(data["reason"] ?? ""));
    default:
      return envelope.event_type.startsWith("ag2.channel.") ? "" : cut(json(data));
  }
}

function previewPacket(envelope: Envelope, nameOf: (agentId: string) => string): string {
  const packet = packetPayloadSchema.safeParse(envelope.event_data);
  if (!packet.success) return json(envelope.event_data);
  const { routing, body, context_updates: context } = packet.data;
  const target = routing?.target == null ? "" : ` to ${nameOf(routing.target)}`;
  const kind = routing == null || routing.kind === "text" ? "" : `[${routing.kind}${target}] `;
  const names = Object.keys(context?.set ?? {});
  const set = names.length === 0 ? "" : ` {sets ${names.join(", ")}}`;
  return `${kind}${body ?? ""}${set}`;
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

function cut(text: string): string {
  return text.slice(0, MAX_LOOKED_AT);
}
