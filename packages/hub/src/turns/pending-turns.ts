import { type ExpectedTurn, formatTimestamp, type PendingTurn } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { callAdapter } from "../core/adapter-fault.js";
import type { LiveChannel } from "../live/live-channel.js";
import { parseStored } from "../wal/parse-stored.js";

/** Turns that an agent owes in its active channels, in order of the channels' creation. */
export async function pendingTurnsFor(
  context: CoreContext,
  agentId: string,
): Promise<readonly PendingTurn[]> {
  const turns: PendingTurn[] = [];
  for (const channelId of context.channels.openOf(agentId)) {
    const turn = await pendingTurnIn(context, channelId, agentId);
    if (turn !== null) turns.push(turn);
  }
  return turns;
}

async function pendingTurnIn(
  context: CoreContext,
  channelId: string,
  agentId: string,
): Promise<PendingTurn | null> {
  const { channels, store, clock, logger } = context;
  let expected: ExpectedTurn | null;
  try {
    expected = expectedIn(context, await channels.load(channelId));
  } catch (error) {
    // One channel that cannot be read hides no turn of the others.
    logger.warn({ err: error, channel_id: channelId }, "a channel's pending turn is unknown");
    return null;
  }
  if (expected?.agent_id !== agentId) return null;
  const trigger = expected.triggering_envelope_id;
  const stored = trigger === null ? null : await store.readEnvelope(trigger);
  return {
    channel_id: channelId,
    triggering_envelope_id: trigger,
    expected_at: stored === null ? formatTimestamp(clock.now()) : parseStored(stored).created_at,
  };
}

function expectedIn({ logger }: CoreContext, live: LiveChannel): ExpectedTurn | null {
  const { adapter, durable } = live;
  if (adapter === null || durable.metadata.state !== "active") return null;
  return callAdapter({ logger, channelId: live.id, method: "expectedNext" }, () =>
    adapter.expectedNext(durable.metadata, durable.state),
  );
}
