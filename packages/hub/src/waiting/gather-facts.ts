import {
  type ChannelMetadata,
  createEnvelope,
  EV_TEXT,
  type ExpectedTurn,
  effectiveKind,
  idTime,
  isTerminalState,
  NotFoundError,
  parseTimestamp,
} from "@colloquy/protocol";
import { neededAcks } from "../channels/handshake.js";
import type { CoreContext } from "../context/core-context.js";
import { callAdapter } from "../core/adapter-fault.js";
import type { Standing } from "../delivery/envelope-standing.js";
import type { NextExpectation } from "../expectations/next-expectation.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { ActiveFacts, AwaitedFacts, Named, WaitingFacts } from "./facts.js";

/** What the explanation needs of a hub. */
export interface WaitingSources {
  readonly context: CoreContext;
  /** What is violated next in a channel. */
  nextExpectation(channelId: string): Promise<NextExpectation | null>;
  readonly isClosed: boolean;
}

/**
 * Reads what is known of a channel. Of one in memory, as every open channel is that could be read,
 * nothing is read from the store.
 */
export async function gatherFacts(
  sources: WaitingSources,
  channelId: string,
): Promise<WaitingFacts> {
  const { context, isClosed } = sources;
  const { channels, committer, limits, agents, delivery } = context;
  const { metadata, live, fault } = await readChannel(context, channelId);
  const isOpen = metadata !== null && !isTerminalState(metadata.state);
  const named = (agentId: string): Named => ({ agent_id: agentId, name: agents.nameFor(agentId) });
  const isActive = isOpen && metadata.state === "active" && live !== null;
  const expectation = isOpen && live !== null ? await sources.nextExpectation(channelId) : null;
  const unsettled = metadata?.state === "closing" ? delivery.outstandingIn(channelId) : [];
  return {
    channelId,
    metadata,
    hub: isClosed ? "closed" : context.accepting ? "running" : "draining",
    storeFault: fault ?? committer.failure?.message ?? null,
    quarantine: channels.quarantined.get(channelId) ?? null,
    uncommitted: live === null ? 0 : live.head.position - live.committed,
    inviteAckTimeoutMs: limits.inviteAckTimeoutMs,
    closingTimeoutMs: limits.closingTimeoutMs,
    silent: metadata?.state === "pending" ? metadata.pending_acks.map(named) : [],
    neededAcks: metadata === null ? 0 : neededAcks(metadata),
    unsettled: unsettled.map(({ agent_id }) => named(agent_id)),
    expectation,
    violators: expectation?.violator_ids.map(named) ?? [],
    active: isActive ? activeFacts(context, live) : null,
  };
}

interface ReadChannel {
  readonly metadata: ChannelMetadata | null;
  readonly live: LiveChannel | null;
  readonly fault: string | null;
}

async function readChannel(context: CoreContext, channelId: string): Promise<ReadChannel> {
  const { channels } = context;
  const known = channels.peek(channelId);
  if (known !== undefined) return { metadata: known.durable.metadata, live: known, fault: null };
  let metadata: ChannelMetadata | null = null;
  try {
    metadata = await channels.metadata(channelId);
    const isReadable = metadata !== null && !isTerminalState(metadata.state);
    if (!isReadable || channels.quarantined.has(channelId)) {
      return { metadata, live: null, fault: null };
    }
    const live = await channels.load(channelId);
    return { metadata: live.durable.metadata, live, fault: null };
  } catch (error) {
    if (error instanceof NotFoundError) return { metadata: null, live: null, fault: null };
    return { metadata, live: null, fault: error instanceof Error ? error.message : String(error) };
  }
}

function activeFacts(context: CoreContext, live: LiveChannel): ActiveFacts {
  const { turn, typeFault } = expectedIn(context, live);
  const awaited =
    turn === null ? outstandingFacts(context, live) : [expectedFacts(context, live, turn)];
  return {
    typeFault,
    isExpected: turn !== null,
    awaited,
    fullInboxes: fullInboxes(context, live, turn?.agent_id ?? null),
  };
}

function expectedIn(
  { logger }: CoreContext,
  { id: channelId, adapter, durable }: LiveChannel,
): { readonly turn: ExpectedTurn | null; readonly typeFault: string | null } {
  if (adapter === null) return { turn: null, typeFault: "no adapter of it is registered" };
  try {
    const turn = callAdapter({ logger, channelId, method: "expectedNext" }, () =>
      adapter.expectedNext(durable.metadata, durable.state),
    );
    return { turn, typeFault: null };
  } catch (error) {
    return { turn: null, typeFault: error instanceof Error ? error.message : String(error) };
  }
}

/** The one whose turn it is, since the envelope that it is to answer. */
function expectedFacts(
  context: CoreContext,
  { id, durable }: LiveChannel,
  { agent_id: agentId, triggering_envelope_id: trigger }: ExpectedTurn,
): AwaitedFacts {
  const opened = parseTimestamp(durable.metadata.created_at) ?? 0;
  const since = (trigger === null ? null : idTime(trigger)) ?? opened;
  const standing = trigger === null ? null : context.delivery.standingOf(agentId, id, trigger);
  return awaitedFacts(context, agentId, since, standing);
}

/** Where anybody may speak, those are awaited who have not dealt with what they were sent. */
function outstandingFacts(context: CoreContext, { id, committed }: LiveChannel): AwaitedFacts[] {
  const { delivery } = context;
  const found = delivery
    .oldestOutstanding(id)
    .map((standing) => awaitedFacts(context, standing.agentId, standing.queuedAt, standing));
  // A dead letter after which something was said holds nobody up.
  const { dead_letters } = delivery.listDeadLetters({ channel_id: id, limit: 1_000 });
  for (const { recipient_id, envelope_id, position, state } of dead_letters) {
    if (position !== committed || state !== "dead") continue;
    const standing = delivery.standingOf(recipient_id, id, envelope_id);
    if (standing === null) continue;
    found.push(awaitedFacts(context, recipient_id, standing.queuedAt, standing));
  }
  return found;
}

function awaitedFacts(
  { agents, delivery }: CoreContext,
  agentId: string,
  since: number,
  standing: Standing | null,
): AwaitedFacts {
  const entry = agents.get(agentId);
  return {
    agent_id: agentId,
    name: agents.nameFor(agentId),
    isRegistered: entry !== undefined,
    kind: entry === undefined ? "agent" : effectiveKind(entry.passport),
    isOnline: delivery.connectionOf(agentId) !== null,
    since,
    standing,
  };
}

/** Members whose inbox would refuse what the speaker says; asked as a post asks. */
function fullInboxes(
  { agents, delivery, arbiter }: CoreContext,
  { id, addressed, metadata }: LiveChannel,
  speakerId: string | null,
): ActiveFacts["fullInboxes"] {
  const full: (Named & { readonly pending: number })[] = [];
  const envelope = createEnvelope({
    channel_id: id,
    sender_id: speakerId ?? metadata.creator_id,
    event_type: EV_TEXT,
    event_data: { text: "" },
  });
  for (const agentId of addressed) {
    const recipient = agents.get(agentId);
    if (agentId === speakerId || recipient === undefined) continue;
    const pending = delivery.pending(agentId);
    if (pending === 0 || arbiter.authorizeInbox({ envelope, recipient, pending }).allow) continue;
    full.push({ agent_id: agentId, name: recipient.passport.name, pending });
  }
  return full;
}
