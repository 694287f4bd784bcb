import {
  AccessDeniedError,
  EV_TEXT,
  findParticipant,
  NotFoundError,
  visibleToMember,
} from "@colloquy/protocol";
import { mayStillAnswer } from "../channels/still-answer.js";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { TurnContext } from "../hub.js";
import type { RememberedAnswer } from "../live/causation-index.js";
import type { LiveChannel } from "../live/live-channel.js";
import { parseStored } from "../wal/parse-stored.js";
import { wouldAccept } from "./can-send.js";
import { readWindow } from "./wal-window.js";

/** Input of {@link prepareTurn}. */
export interface PrepareTurn {
  readonly channel_id: string;
  readonly agent_id: string;
  readonly envelope_id: string;
  readonly last: number | null;
  /** Bytes that the envelopes given may have; default: any number. */
  readonly maxBytes?: number | undefined;
}

/**
 * Gathers what a client needs to run one turn. The cost follows from the window that is asked for
 * and from how far the trigger lies behind, not from the length of the WAL.
 */
export async function prepareTurn(
  context: CoreContext,
  { channel_id, agent_id, envelope_id, last, maxBytes }: PrepareTurn,
): Promise<TurnContext> {
  const { channels, committer, store, agents } = context;
  const { metadata: newest } = await channels.ready(channel_id);
  const member = findParticipant(newest, agent_id);
  if (member === undefined) {
    throw new AccessDeniedError(
      `agent ${quote(agent_id)} is not a participant of channel '${channel_id}'`,
    );
  }
  const stored = await store.readEnvelope(envelope_id);
  if (
    stored === null ||
    stored.channel_id !== channel_id ||
    !visibleToMember(parseStored(stored), stored.position, member)
  ) {
    throw new NotFoundError(`envelope not found in channel '${channel_id}': ${quote(envelope_id)}`);
  }
  let live = await channels.ready(channel_id);
  // A turn that is skipped because of an answer which then fails would never be taken.
  while (isUnderWay(live, live.causation.findReply(agent_id, envelope_id))) {
    await committer.stage({}).catch(() => undefined);
    live = await channels.ready(channel_id);
  }
  const { position } = stored;
  const { metadata, state } = live.durable;
  const answered = live.causation.findReply(agent_id, envelope_id);
  const facts = {
    metadata,
    state,
    position,
    answered: answered?.envelope_id ?? null,
    can_send: wouldAccept(live, agent_id) && mayAnswerNow(context, live, agent_id, envelope_id),
  };
  const slice = await readWindow(store, live, {
    participantId: agent_id,
    since: member.since,
    before: position,
    last,
    maxBytes,
  });
  const names: Record<string, string> = {};
  for (const id of live.participants) names[id] = agents.nameFor(id);
  for (const { sender_id } of slice.envelopes) names[sender_id] ??= agents.nameFor(sender_id);
  return { ...facts, slice, names };
}

/** In an active channel, and in one that winds up what was said before that. */
function mayAnswerNow(
  context: CoreContext,
  live: LiveChannel,
  agentId: string,
  envelopeId: string,
): boolean {
  const { metadata } = live.durable;
  if (metadata.state === "active") return true;
  const answer = { sender_id: agentId, causation_id: envelopeId, event_type: EV_TEXT };
  return mayStillAnswer(context, { id: live.id, metadata }, answer);
}

function isUnderWay({ committed }: LiveChannel, answer: RememberedAnswer | undefined): boolean {
  return answer !== undefined && answer.position > committed;
}
