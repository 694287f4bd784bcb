import { AccessDeniedError, NotFoundError, visibleTo } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { TurnContext } from "../hub.js";
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
  const { store, agents } = context;
  const live = await settledChannel(context, channel_id, { agent_id, envelope_id });
  if (!live.participants.has(agent_id)) {
    throw new AccessDeniedError(
      `agent ${quote(agent_id)} is not a participant of channel '${live.id}'`,
    );
  }
  const stored = await store.readEnvelope(envelope_id);
  if (
    stored === null ||
    stored.channel_id !== live.id ||
    !visibleTo(parseStored(stored), agent_id)
  ) {
    throw new NotFoundError(`envelope not found in channel '${live.id}': ${quote(envelope_id)}`);
  }
  const { position } = stored;
  const { metadata, state } = live.durable;
  const answered = live.causation.findReply(agent_id, envelope_id);
  const facts = {
    metadata,
    state,
    position,
    answered: answered?.envelope_id ?? null,
    can_send: metadata.state === "active" && wouldAccept(live, agent_id),
  };
  const slice = await readWindow(store, live, {
    participantId: agent_id,
    before: position,
    last,
    maxBytes,
  });
  const names: Record<string, string> = {};
  for (const id of live.participants) names[id] = agents.nameFor(id);
  for (const { sender_id } of slice.envelopes) names[sender_id] ??= agents.nameFor(sender_id);
  return { ...facts, slice, names };
}

/**
 * The channel once the fate of the agent's answer is known, if one is under way: a turn that is
 * skipped because of an answer which then fails would never be taken.
 */
async function settledChannel(
  { channels, committer }: CoreContext,
  channelId: string,
  turn: Pick<PrepareTurn, "agent_id" | "envelope_id">,
): Promise<LiveChannel> {
  const live = await channels.ready(channelId);
  const answer = live.causation.findReply(turn.agent_id, turn.envelope_id);
  if (answer === undefined || answer.position <= live.committed) return live;
  await committer.stage({}).catch(() => undefined);
  return channels.ready(channelId);
}
