import {
  CHANNEL_EVENT_PREFIX,
  type Envelope,
  EV_PACKET,
  EV_TEXT,
  packetPayloadSchema,
} from "@colloquy/protocol";

/**
 * An envelope as somebody gets it who may not see it: who sent what kind when, without its content.
 *
 * What remains is what a client needs to fold a WAL to the same turn: of a packet where it goes,
 * of a text that it was one. Events of the channel's life hold nothing that a member may not know.
 */
export function concealEnvelope(envelope: Envelope): Envelope {
  if (envelope.event_type.startsWith(CHANNEL_EVENT_PREFIX)) return envelope;
  return { ...envelope, event_data: concealData(envelope) };
}

function concealData({ event_type, event_data }: Envelope): Record<string, unknown> {
  if (event_type === EV_TEXT) return { text: "" };
  if (event_type !== EV_PACKET) return {};
  const routing = packetPayloadSchema.safeParse(event_data).data?.routing;
  if (routing === undefined || routing === null) return { body: "" };
  const { kind, tool, target } = routing;
  return {
    routing: { kind, ...(tool == null ? {} : { tool }), ...(target == null ? {} : { target }) },
    context_updates: {},
    body: "",
  };
}
