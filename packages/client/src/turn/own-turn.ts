import type { Envelope } from "@colloquy/protocol";
import type { DeliveryFacts } from "../agent/agent-client.js";
import { findEnvelope } from "./find-envelope.js";
import { overBreaks } from "./over-breaks.js";
import type { TurnOutcome } from "./run-turn.js";
import type { TurnHost } from "./turn-host.js";

/**
 * The agent's own answer when that leaves the turn with itself; null when it does not. Asked only
 * where the channel type says that this may be.
 *
 * @param trigger - what has just been dealt with
 * @param outcome - what came of it; null when it failed
 * @param delivery - its signal ends the search
 */
export async function findOwnTurn(
  host: Pick<TurnHost, "hub" | "client" | "metadataOf">,
  trigger: Envelope,
  outcome: TurnOutcome | null,
  { signal }: Pick<DeliveryFacts, "signal">,
): Promise<Envelope | null> {
  const isAnswered =
    outcome?.kind === "answered" ||
    (outcome?.kind === "skipped" && outcome.reason === "already_answered");
  if (!isAnswered || signal.aborted) return null;
  const { hub, client } = host;
  const channelId = trigger.channel_id;
  const adapter = hub.adapterFor(await host.metadataOf(channelId));
  if (adapter.mayKeepTurn !== true) return null;
  return overBreaks(async () => {
    const [metadata, { state }] = await Promise.all([
      hub.getChannel(channelId),
      hub.adapterState(channelId),
    ]);
    const expected = metadata.state === "active" ? adapter.expectedNext(metadata, state) : null;
    const next = expected?.agent_id === client.agentId ? expected.triggering_envelope_id : null;
    if (next === null || next === trigger.envelope_id) return null;
    const found = await findEnvelope(hub, channelId, next);
    return found?.sender_id === client.agentId ? found : null;
  }, signal);
}
