import type { Envelope, ExpectedTurn } from "@colloquy/protocol";
import { visibleTo } from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";

/** Everything in a channel behind a position. */
async function readBehind(
  hub: Pick<HubVerbs, "readPage">,
  channelId: string,
  position: number,
): Promise<Envelope[]> {
  const found: Envelope[] = [];
  for (let after: number | null = position; after !== null; ) {
    const page = await hub.readPage(channelId, { after });
    found.push(...page.envelopes);
    after = page.next;
  }
  return found;
}

/**
 * What an agent has said behind the envelope that it is about to answer. When two messages came in
 * quick succession the answer to the first stands behind the second, and a model that does not see
 * it answers the first one again.
 */
export async function ownWordsBehind(
  hub: Pick<HubVerbs, "readPage">,
  channelId: string,
  position: number,
  agentId: string,
): Promise<Envelope[]> {
  const behind = await readBehind(hub, channelId, position);
  return behind.filter((envelope) => envelope.sender_id === agentId);
}

/**
 * True when a turn is owed to a later envelope that the agent gets as well, so that answering this
 * one would take the turn with an old history.
 */
export async function isOvertaken(
  hub: Pick<HubVerbs, "readPage">,
  channelId: string,
  trigger: { readonly envelopeId: string; readonly position: number },
  expected: ExpectedTurn | null,
  agentId: string,
): Promise<boolean> {
  const owedTo = expected?.agent_id === agentId ? expected.triggering_envelope_id : null;
  if (owedTo === null || owedTo === trigger.envelopeId) return false;
  const behind = await readBehind(hub, channelId, trigger.position);
  return behind.some((envelope) => envelope.envelope_id === owedTo && visibleTo(envelope, agentId));
}
