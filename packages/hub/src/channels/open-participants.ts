import { NotFoundError, type Participant, ProtocolError } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { AgentEntry } from "../registry/agent-table.js";

/** The members of a channel in their order: as listed, the creator first when not listed. */
export function requireParticipants(
  { agents, limits }: Pick<CoreContext, "agents" | "limits">,
  creator: AgentEntry,
  listed: readonly string[],
): readonly AgentEntry[] {
  if (!Array.isArray(listed) || listed.length === 0) {
    throw new ProtocolError("a channel needs at least one participant beside its creator");
  }
  const count = listed.includes(creator.id) ? listed.length : listed.length + 1;
  if (count > limits.maxParticipants) {
    throw new ProtocolError(
      `a channel takes at most ${limits.maxParticipants} participants (maxParticipants), its creator included; these are ${count}`,
    );
  }
  const members = new Map<string, AgentEntry>();
  for (const id of listed) {
    if (members.has(id)) throw new ProtocolError(`participant ${quote(id)} is listed twice`);
    const entry = agents.get(id);
    if (entry === undefined) throw new NotFoundError(`participant not registered: ${quote(id)}`);
    members.set(id, entry);
  }
  return members.has(creator.id) ? [...members.values()] : [creator, ...members.values()];
}

/** Members with their roles: one other is the respondent, several are participants. */
export function assignRoles(
  members: readonly AgentEntry[],
  creatorId: string,
  joinedAt: string,
): Participant[] {
  const others = members.length === 2 ? "respondent" : "participant";
  return members.map(({ id }, order) => ({
    agent_id: id,
    role: id === creatorId ? "initiator" : others,
    order,
    joined_at: joinedAt,
  }));
}
