import {
  type ChannelMetadata,
  channelAtStart,
  type Envelope,
  NotFoundError,
  type OperationInput,
  participantOrder,
} from "@colloquy/protocol";
import { sliceWal } from "@colloquy/views";
import type { HubVerbs, TurnFacts } from "./hub-verbs.js";

/**
 * What `prepare_turn` gives, put together from single operations, for a hub that has only those. The
 * log is read once, and folded with this client's own adapter.
 */
export async function bareTurnFacts(
  verbs: HubVerbs,
  input: OperationInput<"prepare_turn">,
): Promise<TurnFacts> {
  const { channel_id, agent_id, envelope_id, last = null } = input;
  const [metadata, answer, can_send, log] = await Promise.all([
    verbs.getChannel(channel_id),
    verbs.findEnvelopeByCausation(channel_id, agent_id, envelope_id),
    verbs.canSend(channel_id, agent_id),
    verbs.readWal(channel_id),
  ]);
  const adapter = verbs.adapterFor(metadata);
  const slice = sliceWal(log, {
    participantId: agent_id,
    render: (envelope) => adapter.renderEnvelope(envelope),
    needs: last === null ? "all" : { last },
    before: envelope_id,
  });
  return {
    metadata,
    state: log.reduce(
      (folded, envelope) => adapter.fold(folded, envelope),
      adapter.initialState(channelAtStart(metadata)),
    ),
    position: positionOf(log, envelope_id),
    answered: answer?.envelope_id ?? null,
    can_send,
    envelopes: [...slice.envelopes],
    left_out: { count: slice.left_out.count, senders: [...slice.left_out.senders] },
    names: await verbs.namesFor(idsIn(metadata, log)),
  };
}

function positionOf(log: readonly Envelope[], envelopeId: string): number {
  const index = log.findIndex((envelope) => envelope.envelope_id === envelopeId);
  if (index < 0) throw new NotFoundError(`envelope '${envelopeId}' is not in the channel's log`);
  return index + 1;
}

function idsIn(metadata: ChannelMetadata, log: readonly Envelope[]): string[] {
  const senders = log.map((envelope) => envelope.sender_id);
  return [...new Set([...participantOrder(metadata), ...senders])];
}
