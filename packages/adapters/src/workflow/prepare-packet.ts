import {
  type ChannelMetadata,
  type Envelope,
  EV_PACKET,
  type PreparedSend,
  type SendContext,
} from "@colloquy/protocol";
import { isRecord, ownRecord } from "../json-record.js";
import { prepareHandoff } from "./prepare-handoff.js";

/**
 * Makes a packet what every fold reads alike, before it is stored: the target of a handoff becomes an
 * id, and variables under `context` join those under `context_updates.set`, where they win.
 */
export function preparePacket(
  channel: ChannelMetadata,
  envelope: Envelope,
  context: SendContext,
): PreparedSend {
  const event_data = withOneSpelling(envelope);
  const prepared = event_data === envelope.event_data ? envelope : { ...envelope, event_data };
  return prepareHandoff(channel, prepared, context);
}

/** The payload without `context`; the same object when there is none, or it is no object. */
function withOneSpelling({ event_type, event_data }: Envelope): Envelope["event_data"] {
  const updates = event_data["context_updates"] ?? {};
  if (event_type !== EV_PACKET || !isRecord(updates)) return event_data;
  const variables = ownRecord(event_data, "context");
  if (variables === null) return event_data;
  const { context: _moved, ...rest } = event_data;
  const set = ownRecord(updates, "set") ?? {};
  return { ...rest, context_updates: { ...updates, set: { ...set, ...variables } } };
}
