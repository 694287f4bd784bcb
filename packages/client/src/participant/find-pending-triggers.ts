import type { Envelope } from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";

/** Newest envelopes among which a trigger is looked for before the whole log is read. */
const NEAR_END = 200;

/** The envelopes to which an agent owes an answer. */
export async function findPendingTriggers(hub: HubVerbs, agentId: string): Promise<Envelope[]> {
  const turns = await hub.pendingTurnsFor(agentId);
  const found = await Promise.all(
    turns.map(({ channel_id, triggering_envelope_id }) =>
      triggering_envelope_id === null
        ? null
        : findEnvelope(hub, channel_id, triggering_envelope_id),
    ),
  );
  return found.filter((envelope) => envelope !== null);
}

async function findEnvelope(
  hub: HubVerbs,
  channelId: string,
  envelopeId: string,
): Promise<Envelope | null> {
  const isIt = ({ envelope_id }: Envelope): boolean => envelope_id === envelopeId;
  const { envelopes } = await hub.readPage(channelId, { last: NEAR_END });
  return envelopes.find(isIt) ?? (await hub.readWal(channelId)).find(isIt) ?? null;
}
