import {
  type ChannelAdapter,
  type ChannelMetadata,
  type Content,
  type Envelope,
  findParticipant,
  type Message,
  type ViewContext,
  type ViewPolicy,
  visibleToMember,
} from "@colloquy/protocol";
import { currentInput, sliceWal } from "@colloquy/views";

/** What a participant's model gets at a position. */
export interface ProjectedTurn {
  /** The history. */
  readonly messages: readonly Message[];
  /** What it is to answer: the envelope at the position; null when it has nothing to answer there. */
  readonly input: Content | null;
}

/** What is projected. */
export interface TurnProjection {
  readonly channel: ChannelMetadata;
  readonly adapter: ChannelAdapter;
  readonly view: ViewPolicy;
  readonly agentId: string;
  /** The WAL up to the position. */
  readonly envelopes: readonly Envelope[];
  nameFor(agentId: string): string;
}

/**
 * Projects what a participant's model would get if its turn were set off by the last envelope: the
 * history before it, and the envelope as input. After an envelope of its own, or one that it may
 * not see, all of it is history.
 */
export function projectTurn(projection: TurnProjection): ProjectedTurn {
  const { channel, adapter, view, agentId, nameFor } = projection;
  const member = findParticipant(channel, agentId) ?? { agent_id: agentId };
  const envelopes = projection.envelopes.filter((envelope, index) =>
    visibleToMember(envelope, index + 1, member),
  );
  const render = (envelope: Envelope): Content | null => adapter.renderEnvelope(envelope);
  const context: ViewContext = { participantId: agentId, channel, render, nameFor };
  const last = envelopes.at(-1);
  const isNewest = last !== undefined && last === projection.envelopes.at(-1);
  const isTrigger = isNewest && last.sender_id !== agentId;
  const input = isTrigger
    ? currentInput(view, last, context, (envelope) => adapter.turnInput(envelope))
    : null;
  const before = isTrigger && input !== null ? last.envelope_id : undefined;
  const slice = sliceWal(envelopes, {
    participantId: agentId,
    render,
    needs: view.needs,
    before,
  });
  return { messages: view.project(slice, context), input };
}
