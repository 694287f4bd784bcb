import {
  type Envelope,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  HUB_EVENTS,
} from "@colloquy/protocol";

/** True for the answers to an invitation: they go into the WAL and to nobody. */
export function isAbsorbed(eventType: string): boolean {
  return eventType === EV_CHANNEL_INVITE_ACK || eventType === EV_CHANNEL_INVITE_REJECT;
}

/**
 * True if an envelope is for a member of its channel. Nobody is sent what it said itself, also when
 * its audience names it; what the hub says in a member's name is for that member too.
 */
export function isAddressed(envelope: Envelope, agentId: string): boolean {
  if (isAbsorbed(envelope.event_type)) return false;
  const { audience, sender_id, event_type } = envelope;
  if (sender_id === agentId && !HUB_EVENTS.has(event_type)) return false;
  return audience?.includes(agentId) ?? sender_id !== agentId;
}
