import {
  type ChannelMetadata,
  type Envelope,
  findSpeaker,
  type PreparedSend,
  type SendContext,
} from "@colloquy/protocol";
import { ownText } from "../json-record.js";
import { routingOf } from "./turn-event.js";

/**
 * Makes the target of a packet's handoff an id before the packet is stored.
 *
 * An exact id of a participant stands; otherwise it is taken for a name. A target that is nobody who
 * takes part, or is hidden, moves to `unresolved_target`, so that every fold goes on by the graph, and the speaker
 * is told who does take part.
 */
export function prepareHandoff(
  channel: ChannelMetadata,
  envelope: Envelope,
  context: SendContext,
): PreparedSend {
  const { event_data } = envelope;
  const routing = routingOf(envelope);
  const target = routing === null ? "" : ownText(routing, "target");
  if (routing === null || target === "" || ownText(routing, "kind") !== "handoff") {
    return { event_data, notes: [] };
  }
  const id = findSpeaker(channel, target) ? target : context.resolveName(target);
  if (id !== null && findSpeaker(channel, id)) {
    const prepared =
      id === target ? event_data : withRouting(event_data, { ...routing, target: id });
    return { event_data: prepared, notes: [] };
  }
  const { target: _taken, ...rest } = routing;
  return {
    event_data: withRouting(event_data, { ...rest, unresolved_target: target }),
    notes: [strangerNote(channel, target)],
  };
}

function withRouting(eventData: Envelope["event_data"], routing: Record<string, unknown>) {
  return { ...eventData, routing };
}

function strangerNote(channel: ChannelMetadata, target: string): string {
  const members = channel.participants
    .filter(({ hidden }) => hidden !== true)
    .map(({ agent_id }) => `'${agent_id}'`)
    .join(", ");
  return `handoff to '${target}' was not taken, nobody by that name takes part; participants are ${members}; the graph decides who speaks next`;
}
