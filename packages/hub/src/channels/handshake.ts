import {
  type ChannelMetadata,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  isTerminalState,
  ProtocolError,
} from "@colloquy/protocol";
import type { ChannelDraft } from "../append/channel-draft.js";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import { leanMetadata } from "../live/lean-metadata.js";
import { mayChange } from "./check-change.js";
import { draftGoing, draftJoined, draftLapsed } from "./draft-participant.js";
import { draftEnd, draftOpened } from "./draft-transition.js";

/** Reason of a channel that too many invitees declined. */
const INVITE_REJECTED = "invite_rejected";

/** True for an invitee's answer: it is not passed on to the others. */
export function isInviteAnswer(eventType: string): boolean {
  return eventType === EV_CHANNEL_INVITE_ACK || eventType === EV_CHANNEL_INVITE_REJECT;
}

/** Refuses an answer from somebody who was not invited. Membership was checked before. */
export function checkInvitee(metadata: ChannelMetadata, senderId: string): void {
  if (senderId !== metadata.creator_id) return;
  throw new ProtocolError(
    `agent ${quote(senderId)} opened channel '${metadata.channel_id}': only an invitee may answer an invitation`,
  );
}

/** True for one who was invited into the open channel and has not answered. */
export function isInvitedLater({ invited }: ChannelMetadata, agentId: string): boolean {
  return invited?.some(({ agent_id }) => agent_id === agentId) ?? false;
}

function draftLateAnswer(
  context: CoreContext,
  draft: ChannelDraft,
  { senderId: agentId, eventType }: { readonly senderId: string; readonly eventType: string },
): void {
  if (eventType === EV_CHANNEL_INVITE_ACK) draftJoined(context, draft, agentId);
  else draftLapsed(context, draft, { agentId, by: agentId, reason: INVITE_REJECTED });
}

/** Whoever has declined takes no part in a channel that opened without it, where its type allows that. */
function draftDeclined(
  context: CoreContext,
  draft: ChannelDraft,
  agentIds: readonly string[],
): void {
  if (!mayChange(draft.live)) return;
  for (const agentId of agentIds) {
    if (isTerminalState(draft.metadata.state)) return;
    draftGoing(context, draft, agentId, { by: agentId, reason: INVITE_REJECTED }, true);
  }
}

/** How many invitees must accept: `required_acks`, or all. */
export function neededAcks(metadata: ChannelMetadata): number {
  return metadata.required_acks ?? metadata.participants.length - 1;
}

/**
 * Adds what follows from an invitee's answer: the channel becomes active once enough have
 * accepted, and closes once enough can no longer accept. Whoever has declined takes no part in a
 * channel that opens without it; an acceptance that comes later is noted, its sender has been a member
 * all along. An answer that changes nothing is kept in the WAL and nothing more.
 */
export function draftAnswer(
  context: CoreContext,
  draft: ChannelDraft,
  answer: { readonly senderId: string; readonly eventType: string },
): void {
  const { metadata } = draft;
  if (isInvitedLater(metadata, answer.senderId)) {
    draftLateAnswer(context, draft, answer);
    return;
  }
  if (!metadata.pending_acks.includes(answer.senderId)) return;
  const isReject = answer.eventType === EV_CHANNEL_INVITE_REJECT;
  const next = leanMetadata({
    ...metadata,
    pending_acks: metadata.pending_acks.filter((id) => id !== answer.senderId),
    rejected_by: isReject ? [...metadata.rejected_by, answer.senderId] : metadata.rejected_by,
  });
  draft.metadata = next;
  if (next.state !== "pending") {
    if (isReject) draftDeclined(context, draft, [answer.senderId]);
    return;
  }
  const possible = next.participants.length - 1 - next.rejected_by.length;
  const acked = possible - next.pending_acks.length;
  if (acked >= neededAcks(next)) {
    draftOpened(context, draft);
    draftDeclined(context, draft, next.rejected_by);
  } else if (possible < neededAcks(next)) {
    draftEnd(context, draft, { state: "closed", reason: INVITE_REJECTED });
  }
}
