import { type ChannelMetadata, ProtocolError, type Role } from "@colloquy/protocol";

/**
 * Checks that a channel has an initiator and a respondent and nobody else, in that order of checks.
 *
 * @throws ProtocolError that names the channel type and what is wrong
 */
export function requirePair(channel: ChannelMetadata): void {
  const { type } = channel.manifest;
  for (const role of ["initiator", "respondent"] as const) {
    if (countRole(channel, role) === 1) continue;
    throw new ProtocolError(`${type} requires exactly one ${role}`);
  }
  const count = channel.participants.length;
  if (count !== 2) throw new ProtocolError(`${type} requires exactly 2 participants, got ${count}`);
}

function countRole(channel: ChannelMetadata, role: Role): number {
  return channel.participants.filter((participant) => participant.role === role).length;
}
