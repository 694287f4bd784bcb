import {
  createEnvelope,
  EV_CHANNEL_INVITE,
  EV_PARTICIPANT_JOINED,
  EV_PARTICIPANT_LAPSED,
  EV_PARTICIPANT_LEFT,
  EV_PARTICIPANT_REMOVED,
  findParticipant,
  foldMembership,
  formatTimestamp,
  type Participant,
  participantOrder,
} from "@colloquy/protocol";
import { type ChannelDraft, draftEnvelope } from "../append/channel-draft.js";
import { sealContent } from "../append/seal-content.js";
import type { CoreContext } from "../context/core-context.js";
import { freezeDeep } from "../core/freeze.js";
import type { ParticipantEventKind } from "../observe/hub-listener.js";
import { draftEnd } from "./draft-transition.js";

/** Reason of a channel in which too few may still speak. */
const TOO_FEW = "too_few_participants";

/** One change of who takes part. */
export interface ParticipantNotice {
  readonly kind: ParticipantEventKind;
  readonly eventType: string;
  readonly agentId: string;
  /** The member that did it; null for the program that holds the hub. */
  readonly by: string | null;
  readonly reason: string;
  /** Facts beside those. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Adds a change of the members: the metadata, and the notice to all members and to the one whom it
 * is about. A channel in which fewer than its manifest's least number may then speak closes with
 * reason `too_few_participants`, in the same commit.
 */
export function draftParticipant(
  context: CoreContext,
  draft: ChannelDraft,
  { kind, eventType, agentId, by, reason, data = {} }: ParticipantNotice,
): void {
  const facts = { channel_id: draft.live.id, agent_id: agentId, by, reason, ...data };
  const content = sealContent(facts, "event_data");
  const envelope = createEnvelope({
    channel_id: draft.live.id,
    sender_id: draft.metadata.creator_id,
    audience: [],
    event_type: eventType,
    event_data: content.value,
  });
  const after = foldMembership(draft.metadata, envelope);
  const audience = [...new Set([...participantOrder(after), agentId])];
  draftEnvelope(context, draft, {
    envelope: { ...envelope, audience },
    content,
    recipients: audience.filter((id) => context.agents.get(id) !== undefined),
    announced: true,
  });
  draft.metadata = freezeDeep(after);
  tell(draft, kind, { agent_id: agentId, by, reason });
  closeIfTooFew(context, draft);
}

/** Adds an invitation into an open channel. */
export function draftInvitation(
  context: CoreContext,
  draft: ChannelDraft,
  { agentId, by }: Pick<ParticipantNotice, "agentId" | "by">,
): void {
  const { metadata } = draft;
  const facts = {
    channel_id: draft.live.id,
    manifest_type: metadata.manifest.type,
    manifest_version: metadata.manifest.version,
    creator_id: metadata.creator_id,
    knobs: metadata.knobs,
    labels: metadata.labels,
    invited_by: by,
  };
  const { envelope } = draftEnvelope(context, draft, {
    envelope: createEnvelope({
      channel_id: draft.live.id,
      sender_id: by ?? metadata.creator_id,
      audience: [agentId],
      event_type: EV_CHANNEL_INVITE,
      event_data: {},
    }),
    content: sealContent(facts, "event_data"),
    recipients: [agentId],
    announced: true,
  });
  draft.metadata = freezeDeep(foldMembership(metadata, envelope));
  tell(draft, "participant_invited", { agent_id: agentId, by, reason: "" });
}

/** Adds that an invitee of an open channel has accepted: from here on it takes part. */
export function draftJoined(context: CoreContext, draft: ChannelDraft, agentId: string): void {
  const by = draft.metadata.invited?.find(({ agent_id }) => agent_id === agentId)?.by ?? null;
  draftParticipant(context, draft, {
    kind: "participant_joined",
    eventType: EV_PARTICIPANT_JOINED,
    agentId,
    by,
    reason: "",
    data: { participant: newParticipant(context, draft, agentId) },
  });
}

/** Adds that a member takes part no longer. */
export function draftGoing(
  context: CoreContext,
  draft: ChannelDraft,
  agentId: string,
  { by, reason }: { readonly by: string | null; readonly reason: string },
  byItself: boolean,
): void {
  draftParticipant(context, draft, {
    kind: byItself ? "participant_left" : "participant_removed",
    eventType: byItself ? EV_PARTICIPANT_LEFT : EV_PARTICIPANT_REMOVED,
    agentId,
    by,
    reason,
    data: { was_hidden: findParticipant(draft.metadata, agentId)?.hidden === true },
  });
}

/** Adds that an invitation into an open channel has come to nothing. */
export function draftLapsed(
  context: CoreContext,
  draft: ChannelDraft,
  { agentId, by, reason }: Pick<ParticipantNotice, "agentId" | "by" | "reason">,
): void {
  const eventType = EV_PARTICIPANT_LAPSED;
  draftParticipant(context, draft, { kind: "invite_lapsed", eventType, agentId, by, reason });
}

/** Who a late joiner will be: the last in the order. */
export function newParticipant(
  { clock }: Pick<CoreContext, "clock">,
  { metadata, position }: Pick<ChannelDraft, "metadata" | "position">,
  agentId: string,
): Participant {
  const seesAll = metadata.knobs["history"] !== "since_join";
  return {
    agent_id: agentId,
    role: "participant",
    order: Math.max(-1, ...metadata.participants.map(({ order }) => order)) + 1,
    joined_at: formatTimestamp(clock.now()),
    ...(seesAll ? {} : { since: position + 1 }),
  };
}

function closeIfTooFew(context: CoreContext, draft: ChannelDraft): void {
  const { manifest, participants, state } = draft.metadata;
  if (state !== "active" && state !== "closing") return;
  const speakers = participants.filter(({ hidden }) => hidden !== true).length;
  if (speakers >= manifest.participants.min) return;
  draftEnd(context, draft, { state: "closed", reason: TOO_FEW });
}

function tell(
  { events, metadata }: ChannelDraft,
  kind: ParticipantEventKind,
  facts: Readonly<Record<string, unknown>>,
): void {
  events.push({ kind, payload: { ...facts, metadata } });
}
