import type { ChannelMetadata, Role } from "@colloquy/protocol";

/** The first member with a role; null when there is none. */
export function memberWithRole(channel: ChannelMetadata, role: Role): string | null {
  return channel.participants.find((participant) => participant.role === role)?.agent_id ?? null;
}
