import {
  type ChannelMetadata,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  ProtocolError,
} from "@colloquy/protocol";
import type { ChannelDraft } from "../append/channel-draft.js";
import type { CoreContext } from "../context/core-context.js";
import { freezeDeep } from "../core/freeze.js";
import { quote } from "../core/quote.js";
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

/** How many invitees must accept: `required_acks`, or all. */
export function neededAcks(metadata: ChannelMetadata): number {
  return metadata.required_acks ?? metadata.participants.length - 1;
}

/**
 * Adds what follows from an invitee's answer: the channel becomes active once enough have
 * accepted, and closes once enough can no longer accept. An answer that changes nothing is kept in
 * the WAL and nothing more.
 */
export function draftAnswer(
  context: CoreContext,
  draft: ChannelDraft,
  answer: { readonly senderId: string; readonly eventType: string },
): void {
  const { metadata } = draft;
  if (!metadata.pending_acks.includes(answer.senderId)) return;
  const isReject = answer.eventType === EV_CHANNEL_INVITE_REJECT;
  const next = freezeDeep({
    ...metadata,
    pending_acks: metadata.pending_acks.filter((id) => id !== answer.senderId),
    rejected_by: isReject ? [...metadata.rejected_by, answer.senderId] : metadata.rejected_by,
  });
  draft.metadata = next;
  if (next.state !== "pending") return;
  const possible = next.participants.length - 1 - next.rejected_by.length;
  const acked = possible - next.pending_acks.length;
  if (acked >= neededAcks(next)) draftOpened(context, draft);
  else if (possible < neededAcks(next)) {
    draftEnd(context, draft, { state: "closed", reason: INVITE_REJECTED });
  }
}
