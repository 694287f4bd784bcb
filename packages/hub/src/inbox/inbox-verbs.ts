import { type InboxView, NotFoundError } from "@colloquy/protocol";
import type { HubContext } from "../context/hub-context.js";
import { quote } from "../core/quote.js";
import type { ChannelShare } from "../delivery/channel-share.js";
import { highWaterOf } from "../policy/inbox-gate.js";
import type { AgentEntry } from "../registry/agent-table.js";
import { parseStored } from "../wal/parse-stored.js";

/** Channels that are listed when the caller does not say. */
const DEFAULT_CHANNELS = 50;

const DEFAULT_REASON = "given up: its recipient's inbox was emptied";

/** Which part of an inbox to empty, and why. */
export interface EmptyInbox {
  /** Only what waits in this channel; absent or null: in all. */
  readonly channel_id?: string | null | undefined;
  /** For the dead letters. */
  readonly reason?: string | undefined;
}

type InboxContext = Pick<HubContext, "agents" | "delivery" | "store" | "committer">;

/** What waits for an agent. Throws `NotFoundError`, or `StoreError` when it cannot be read. */
export async function showInbox(
  context: InboxContext,
  agentId: string,
  limit: number = DEFAULT_CHANNELS,
): Promise<InboxView> {
  requireOwner(context, agentId);
  const shares = await context.delivery.inbox(agentId);
  const oldest = await describeOldest(context, shares);
  const { rule } = requireOwner(context, agentId);
  const fullestFirst = shares.toSorted(
    (a, b) => b.pending - a.pending || (a.channelId < b.channelId ? -1 : 1),
  );
  return {
    agent_id: agentId,
    pending: shares.reduce((sum, { pending }) => sum + pending, 0),
    max_pending: rule.limits.inbox.max_pending,
    overflow: rule.limits.inbox.overflow,
    high_water: highWaterOf(rule),
    oldest,
    channels: fullestFirst.slice(0, limit).map(({ channelId, pending, oldestEnvelopeId }) => ({
      channel_id: channelId,
      pending,
      oldest_envelope_id: oldestEnvelopeId,
    })),
    channel_count: shares.length,
  };
}

/**
 * Gives up what waits for an agent; each envelope becomes a dead letter for it, and the notices of a
 * channel's life stay. Resolves when that is durable. Throws `NotFoundError`, or `StoreError`.
 */
export async function emptyInbox(
  context: InboxContext,
  agentId: string,
  { channel_id = null, reason }: EmptyInbox = {},
): Promise<{ dropped: number }> {
  requireOwner(context, agentId);
  const { dropped, records } = await context.delivery.empty(agentId, {
    channelId: channel_id,
    reason: reason || DEFAULT_REASON,
  });
  if (records.length > 0) await context.committer.stage({ deliveries: records });
  return { dropped };
}

function requireOwner({ agents }: InboxContext, agentId: string): AgentEntry {
  const owner = agents.get(agentId);
  if (owner !== undefined) return owner;
  throw new NotFoundError(`agent not found: ${quote(agentId)}`);
}

async function describeOldest(
  { store }: InboxContext,
  shares: readonly ChannelShare[],
): Promise<InboxView["oldest"]> {
  let oldest: ChannelShare | undefined;
  for (const share of shares) {
    if (oldest === undefined || share.oldestEnvelopeId < oldest.oldestEnvelopeId) oldest = share;
  }
  if (oldest === undefined) return null;
  const stored = await store.readEnvelope(oldest.oldestEnvelopeId);
  return {
    channel_id: oldest.channelId,
    envelope_id: oldest.oldestEnvelopeId,
    created_at: stored === null ? "" : parseStored(stored).created_at,
  };
}
