import type { Envelope } from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";

/** Newest envelopes among which a trigger is looked for before the whole log is read. */
const NEAR_END = 200;

/** An envelope of a channel by its id; null when this participant cannot see it. */
export async function findEnvelope(
  hub: Pick<HubVerbs, "readPage" | "readWal">,
  channelId: string,
  envelopeId: string,
): Promise<Envelope | null> {
  const isIt = ({ envelope_id }: Envelope): boolean => envelope_id === envelopeId;
  const { envelopes } = await hub.readPage(channelId, { last: NEAR_END });
  return envelopes.find(isIt) ?? (await hub.readWal(channelId)).find(isIt) ?? null;
}
