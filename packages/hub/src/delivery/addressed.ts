import { type Envelope, EV_CHANNEL_INVITE_ACK, EV_CHANNEL_INVITE_REJECT } from "@colloquy/protocol";

/** True for the answers to an invitation: they go into the WAL and to nobody. */
export function isAbsorbed(eventType: string): boolean {
  return eventType === EV_CHANNEL_INVITE_ACK || eventType === EV_CHANNEL_INVITE_REJECT;
}

/**
 * True if an envelope is for a member of its channel. Its own sender is one only when the audience
 * names it.
 */
export function isAddressed(envelope: Envelope, agentId: string): boolean {
  if (isAbsorbed(envelope.event_type)) return false;
  if (envelope.audience === null) return envelope.sender_id !== agentId;
  return envelope.audience.includes(agentId);
}
