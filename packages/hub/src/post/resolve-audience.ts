import type { Envelope } from "@colloquy/protocol";
import type { HubContext } from "../context/hub-context.js";
import { quote } from "../core/quote.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { AgentEntry } from "../registry/agent-table.js";

/** Whom an envelope reaches. */
export interface ResolvedAudience {
  /** As it goes into the WAL: members only, each once; null for everybody. */
  readonly audience: string[] | null;
  /** Registered members to notify, never the sender. */
  readonly recipients: readonly AgentEntry[];
  readonly notes: readonly string[];
}

const NO_NOTES: string[] = [];

/**
 * Works out who is meant. Ids that nobody has are dropped silently; a registered agent that takes
 * no part in the channel, or is hidden in it, is dropped with a note for the sender.
 */
export function resolveAudience(
  { agents }: Pick<HubContext, "agents">,
  live: LiveChannel,
  { audience, sender_id }: Pick<Envelope, "audience" | "sender_id">,
): ResolvedAudience {
  const notes: string[] = audience === null ? NO_NOTES : [];
  const members = audience === null ? null : membersOf(audience, live, agents, notes);
  const recipients: AgentEntry[] = [];
  for (const id of members ?? live.addressed) {
    const entry = id === sender_id ? undefined : agents.get(id);
    if (entry !== undefined) recipients.push(entry);
  }
  return { audience: members, recipients, notes };
}

function membersOf(
  audience: readonly string[],
  live: LiveChannel,
  agents: HubContext["agents"],
  notes: string[],
): string[] {
  const members: string[] = [];
  for (const id of new Set(audience)) {
    if (live.addressed.has(id)) members.push(id);
    else if (live.participants.has(id)) {
      notes.push(`audience member ${quote(id)} is hidden in this channel and was left out`);
    } else if (agents.get(id) !== undefined) {
      notes.push(`audience member ${quote(id)} takes no part in this channel and was left out`);
    }
  }
  return members;
}
