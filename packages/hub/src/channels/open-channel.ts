import {
  AccessDeniedError,
  type ChannelAdapter,
  type ChannelMetadata,
  createEnvelope,
  EV_CHANNEL_INVITE,
  findParticipant,
  formatTimestamp,
  isTerminalState,
  NotFoundError,
  ProtocolError,
  TooLargeError,
  UnavailableError,
} from "@colloquy/protocol";
import { beginDraft, type ChannelDraft, draftEnvelope } from "../append/channel-draft.js";
import { type SealedContent, sealContent } from "../append/seal-content.js";
import { stageDraft } from "../append/stage-draft.js";
import type { CoreContext } from "../context/core-context.js";
import { callAdapter } from "../core/adapter-fault.js";
import { quote } from "../core/quote.js";
import type { CreateChannel } from "../hub.js";
import { leanMetadata } from "../live/lean-metadata.js";
import type { LiveChannel } from "../live/live-channel.js";
import { newLiveChannel } from "../live/new-live-channel.js";
import { decide } from "../policy/decide.js";
import type { AgentEntry } from "../registry/agent-table.js";
import { draftOpened } from "./draft-transition.js";
import { neededAcks } from "./handshake.js";
import { assignRoles, requireParticipants } from "./open-participants.js";
import {
  checkBounds,
  parseKnobs,
  parseLabels,
  parseRequiredAcks,
  parseTtl,
} from "./open-settings.js";

/**
 * Opens a channel: invites everybody and resolves when enough have accepted.
 *
 * Everything is checked before anything is stored, so that a refused open leaves no trace. The
 * channel and its invitations are one commit.
 */
export async function openChannel(
  context: CoreContext,
  input: CreateChannel,
): Promise<ChannelMetadata> {
  requireCreator(context, input.creator_id);
  const depthFloor = await readDepthFloor(context, input);
  const creator = requireCreator(context, input.creator_id);
  if (!context.accepting) throw new UnavailableError("the hub is shutting down; retry later");
  const members = requireParticipants(context, creator, input.participants);
  const version = input.manifest_version ?? 1;
  const adapter = context.adapters.get(input.manifest_type, version);
  if (adapter === null) {
    throw new NotFoundError(
      `no adapter for channel type ${quote(input.manifest_type)} version ${version}`,
    );
  }
  const invitees = members.filter((member) => member !== creator);
  decide(
    context.arbiter.authorizeChannelOpen({
      manifest: adapter.manifest,
      creator,
      invitees,
      openChannels: context.channels.openCreatedBy(creator.id),
    }),
  );
  const metadata = describeChannel(context, input, { adapter, creator, members });
  const call = { logger: context.logger, channelId: metadata.channel_id };
  callAdapter({ ...call, method: "validateCreate" }, () => adapter.validateCreate(metadata));
  checkBounds(adapter, metadata);
  context.expectations.checkChannel(metadata);
  const state = callAdapter({ ...call, method: "initialState" }, () =>
    adapter.initialState(metadata),
  );
  const watch = context.expectations.watchFor(metadata);
  const live = newLiveChannel({ metadata, adapter, state, watch });
  live.depthFloor = depthFloor;
  const draft = draftInvitations(context, live, { creator, invitees });
  if (neededAcks(metadata) === 0) draftOpened(context, draft);
  return stageOpen(context, live, draft);
}

function stageOpen(
  context: CoreContext,
  live: LiveChannel,
  draft: ChannelDraft,
): Promise<ChannelMetadata> {
  stageDraft(context, draft, { onFailed: (error) => context.waiters.reject(live.id, error) });
  context.channels.add(live);
  return context.waiters.wait(live.id);
}

function requireCreator({ agents }: CoreContext, creatorId: string): AgentEntry {
  const creator = agents.get(creatorId);
  if (creator !== undefined) return creator;
  throw new NotFoundError(`creator not registered: ${quote(creatorId)}`);
}

/**
 * Least depth of a channel's envelopes: one more than that of its parent, and than the deepest of the
 * parent's newest envelopes. Without a parent it is 0.
 */
async function readDepthFloor({ channels }: CoreContext, input: CreateChannel): Promise<number> {
  const parentId = input.parent_channel_id ?? null;
  if (parentId === null) return 0;
  const parent = await channels.metadata(parentId);
  if (parent === null) throw new NotFoundError(`parent channel not found: ${quote(parentId)}`);
  if (findParticipant(parent, input.creator_id) === undefined) {
    throw new AccessDeniedError(
      `agent ${quote(input.creator_id)} is not a participant of parent channel '${parentId}'`,
    );
  }
  if (isTerminalState(parent.state)) {
    throw new ProtocolError(`parent channel '${parentId}' is ${parent.state}`, {
      details: { state: parent.state },
    });
  }
  const { depthFloor, causation } = await channels.ready(parentId);
  return Math.max(depthFloor, causation.deepest()) + 1;
}

interface Opening {
  readonly adapter: ChannelAdapter;
  readonly creator: AgentEntry;
  readonly members: readonly AgentEntry[];
}

function describeChannel(
  context: CoreContext,
  input: CreateChannel,
  { adapter, creator, members }: Opening,
): ChannelMetadata {
  const now = context.clock.now();
  const created_at = formatTimestamp(now);
  const ttl = input.ttl ?? creator.rule.limits.channel_ttl_default;
  const expires_at = parseTtl(ttl, now);
  const knobs = parseKnobs(adapter, input.knobs ?? {});
  const labels = parseLabels(input, context.limits.maxLabelBytes);
  const invitees = members.filter((member) => member !== creator).map(({ id }) => id);
  return leanMetadata({
    channel_id: context.ids.next(),
    manifest: context.adapters.manifestOf(adapter),
    creator_id: creator.id,
    participants: assignRoles(members, creator.id, created_at),
    state: "pending",
    created_at,
    expires_at,
    closed_at: null,
    close_reason: "",
    parent_channel_id: input.parent_channel_id ?? null,
    knobs,
    labels,
    required_acks: parseRequiredAcks(input.required_acks ?? null, invitees.length),
    pending_acks: invitees,
    rejected_by: [],
  });
}

/** Invitations of one channel may together have as many bytes as so many of the largest envelopes. */
const MAX_INVITATION_ENVELOPES = 64;

/** Every invitee gets all knobs and labels, so that one small request could fill memory and disk. */
function requireInvitationsSize(
  { limits }: CoreContext,
  content: SealedContent,
  invitees: number,
): void {
  const bytes = Buffer.byteLength(content.text) * invitees;
  const maxBytes = limits.maxEnvelopeBytes * MAX_INVITATION_ENVELOPES;
  if (bytes <= maxBytes) return;
  throw new TooLargeError(
    `the invitations have ${bytes} bytes together, with knobs and labels once for each of ${invitees} invitees, and may have ${maxBytes}; list fewer participants, or give smaller knobs and labels`,
    { details: { bytes, max_bytes: maxBytes } },
  );
}

/** The channel's first envelopes; each has to pass the gate for its sender, as any envelope has. */
function draftInvitations(
  context: CoreContext,
  live: LiveChannel,
  { creator, invitees }: { readonly creator: AgentEntry; readonly invitees: readonly AgentEntry[] },
): ChannelDraft {
  const { metadata } = live;
  const draft = beginDraft(live);
  draft.events.push({
    kind: "created",
    payload: {
      metadata,
      participants: metadata.participants.map(({ agent_id }) => agent_id),
      at: metadata.created_at,
    },
  });
  const content = sealContent(
    {
      channel_id: live.id,
      manifest_type: metadata.manifest.type,
      manifest_version: metadata.manifest.version,
      creator_id: creator.id,
      knobs: metadata.knobs,
      labels: metadata.labels,
    },
    "invitation",
  );
  requireInvitationsSize(context, content, invitees.length);
  for (const invitee of invitees) {
    const envelope = createEnvelope({
      channel_id: live.id,
      sender_id: creator.id,
      audience: [invitee.id],
      event_type: EV_CHANNEL_INVITE,
      event_data: {},
      depth: live.depthFloor,
    });
    const verdict = context.arbiter.authorizeSend({
      envelope,
      sender: creator,
      recipients: [invitee],
    });
    decide(verdict);
    draftEnvelope(context, draft, {
      envelope,
      content,
      recipients: [invitee.id],
      announced: true,
    });
  }
  return draft;
}
