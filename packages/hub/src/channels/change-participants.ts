import {
  type ChannelMetadata,
  EV_PARTICIPANT_HIDDEN,
  EV_PARTICIPANT_SHOWN,
  ProtocolError,
} from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { LiveChannel } from "../live/live-channel.js";
import { checkChange, requireOpen } from "./check-change.js";
import { draftGoing, draftLapsed, draftParticipant } from "./draft-participant.js";
import { requireShort } from "./require-short.js";
import { changeChannel } from "./stage-change.js";
import { type AskedBy, authorizeChange } from "./who-may.js";

/** What `removeParticipant` and its like write when no reason is given. */
const DEFAULT_REASON = "explicit";

/**
 * A participant leaves by itself; an invitee of an open channel declines. Needs nobody's leave.
 *
 * @throws ProtocolError where the channel is not open, its type keeps its participants, or the agent takes no part
 */
export function leaveChannel(
  context: CoreContext,
  channelId: string,
  agentId: string,
  reason = "",
): Promise<ChannelMetadata> {
  requireShort(context, reason);
  return changeChannel(context, channelId, (live, draft) => {
    requireOpen(live);
    const why = reason || DEFAULT_REASON;
    if (isInvited(live, agentId)) {
      draftLapsed(context, draft, { agentId, by: agentId, reason: reason || "declined" });
      return;
    }
    requireMember(live, agentId);
    checkChange(context, live, { kind: "leave", agent_id: agentId });
    draftGoing(context, draft, agentId, { by: agentId, reason: why }, true);
  });
}

/** Takes a participant out of a channel, or takes back the invitation of one who has not answered. */
export function removeParticipant(
  context: CoreContext,
  channelId: string,
  agentId: string,
  { by = null, reason = "" }: AskedBy = {},
): Promise<ChannelMetadata> {
  requireShort(context, reason);
  return changeChannel(context, channelId, (live, draft) => {
    requireOpen(live);
    authorizeChange(context, live, { kind: "remove", by, agentId });
    if (isInvited(live, agentId)) {
      draftLapsed(context, draft, { agentId, by, reason: reason || "withdrawn" });
      return;
    }
    requireMember(live, agentId);
    checkChange(context, live, { kind: "remove", agent_id: agentId });
    draftGoing(context, draft, agentId, { by, reason: reason || DEFAULT_REASON }, false);
  });
}

/** Hides a participant, or shows a hidden one again; one that is so already is left as it is. */
export function setHidden(
  context: CoreContext,
  channelId: string,
  agentId: string,
  { by = null, reason = "", hidden }: AskedBy & { readonly hidden: boolean },
): Promise<ChannelMetadata> {
  requireShort(context, reason);
  return changeChannel(context, channelId, (live, draft) => {
    requireOpen(live);
    const kind = hidden ? "hide" : "show";
    authorizeChange(context, live, { kind, by, agentId });
    requireMember(live, agentId);
    if (live.addressed.has(agentId) !== hidden) return;
    checkChange(context, live, { kind, agent_id: agentId });
    draftParticipant(context, draft, {
      kind: hidden ? "participant_hidden" : "participant_shown",
      eventType: hidden ? EV_PARTICIPANT_HIDDEN : EV_PARTICIPANT_SHOWN,
      agentId,
      by,
      reason: reason || DEFAULT_REASON,
    });
  });
}

function isInvited({ metadata }: LiveChannel, agentId: string): boolean {
  return metadata.invited?.some(({ agent_id }) => agent_id === agentId) ?? false;
}

function requireMember(live: LiveChannel, agentId: string): void {
  if (live.participants.has(agentId)) return;
  throw new ProtocolError(`agent ${quote(agentId)} takes no part in channel '${live.id}'`);
}
