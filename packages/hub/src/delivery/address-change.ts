import type { MembershipEvent } from "@colloquy/protocol";

/** From when on an agent is spoken to in a channel, or no longer, as an envelope of its WAL says. */
export interface AddressChange {
  readonly agentId: string;
  readonly before: boolean;
  readonly after: boolean;
}

/** What an envelope says of who is spoken to; null for most. */
export function addressChangeOf(event: MembershipEvent | null): AddressChange | null {
  if (event === null) return null;
  const { agent_id: agentId } = event;
  switch (event.kind) {
    case "joined":
    case "shown":
      return { agentId, before: false, after: true };
    case "hidden":
      return { agentId, before: true, after: false };
    case "left":
    case "removed":
      return { agentId, before: !event.was_hidden, after: false };
    case "invited":
    case "lapsed":
      return null;
  }
}
