import type { TrueChannel } from "../world/truth.js";
import type { World } from "../world/world.js";
import type { Arrivals } from "./arrivals.js";
import { isAddressedTo } from "./arrivals.js";

/** What is left to do when everything works again; empty when the world has come to rest. */
export function unrest(world: World, arrivals: Arrivals): string[] {
  const { host, members, truth, underWay } = world;
  const { hub } = host;
  if (hub === null) return [`the hub is ${host.state}`];
  const left = [...underWay].map((name) => `${name} has no answer`);
  for (const member of members) {
    if (member.client === null && !member.isGone) left.push(`${member.name} is not there`);
  }
  const { pending_inbox_total, staged_envelopes, status } = hub.health();
  if (status !== "ok") left.push(`the hub is ${status}`);
  if (pending_inbox_total > 0) left.push(`${pending_inbox_total} envelopes are outstanding`);
  if (staged_envelopes > 0) left.push(`${staged_envelopes} envelopes are staged`);
  for (const channel of truth.channels.values()) {
    left.push(...owedIn(world, channel), ...missedIn(world, channel, arrivals));
  }
  return left;
}

/** A turn that somebody owes in a channel that has not ended. */
function owedIn({ members }: World, channel: TrueChannel): string[] {
  const isOpen = channel.envelopes.some(({ event_type }) => event_type === "ag2.channel.opened");
  if (channel.isOver) return [];
  if (!isOpen) return [`channel ${channel.id} has neither opened nor ended`];
  const expected = channel.adapter.expectedNext(channel.metadata, channel.states.at(-1));
  if (expected === null) return [];
  const member = members.find(({ agentId }) => agentId === expected.agent_id);
  if (member?.isGone === true) return [];
  return [
    `${member?.name} owes a turn in ${channel.metadata.manifest.type} ${channel.id} since ${expected.triggering_envelope_id}`,
  ];
}

/** What a member should have got and never did, and was not told that it will not get. */
function missedIn(
  { truth, deadLetters, members }: World,
  channel: TrueChannel,
  arrivals: Arrivals,
): string[] {
  const missed: string[] = [];
  for (const { agentId, name, isGone, rule } of members) {
    if (isGone || rule.access?.inbound_from !== undefined) continue;
    for (const { envelope_id, ttl_seconds } of channel.envelopes) {
      const found = truth.byId.get(envelope_id);
      if (found === undefined || ttl_seconds !== null || !isAddressedTo(found, agentId)) continue;
      if (arrivals.hasSeen(agentId, envelope_id)) continue;
      const isDead = deadLetters.some(
        (dead) => dead.envelopeId === envelope_id && dead.recipientId === agentId,
      );
      if (!isDead) {
        missed.push(
          `${name} never got ${found.envelope.event_type} ${envelope_id} of ${channel.id}`,
        );
      }
    }
  }
  return missed;
}
