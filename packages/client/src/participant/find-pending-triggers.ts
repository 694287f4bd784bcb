import type { Envelope } from "@colloquy/protocol";
import { findEnvelope } from "../turn/find-envelope.js";
import type { HubVerbs } from "../verbs/hub-verbs.js";

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
