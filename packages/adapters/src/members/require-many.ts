import { type ChannelMetadata, ProtocolError } from "@colloquy/protocol";

/**
 * Checks that a channel has at least two participants, with different ids and the creator among them.
 *
 * @throws ProtocolError that names the channel type and what is wrong
 */
export function requireMany(channel: ChannelMetadata): void {
  const { type } = channel.manifest;
  const ids = new Set(channel.participants.map((participant) => participant.agent_id));
  if (ids.size < 2) {
    throw new ProtocolError(`${type} requires at least 2 participants, got ${ids.size}`);
  }
  if (!ids.has(channel.creator_id)) {
    throw new ProtocolError(`${type} requires its creator '${channel.creator_id}' to take part`);
  }
}
