import { type ChannelMetadata, participantOrder } from "@colloquy/protocol";

/**
 * Ids of those who take part in a channel or did at its opening. Who joined later and has left again
 * stands in its WAL alone.
 */
export function everIn(channel: ChannelMetadata): string[] {
  const founders = channel.founders?.map(({ agent_id }) => agent_id) ?? [];
  return [...new Set([...participantOrder(channel), ...founders])];
}
