import type { ColloquyOperationName } from "@colloquy/protocol";
import type { Caller, Operation, Operations, RawParams } from "./operation.js";
import { requireInvitedOrMember, requireMember, requireMembership } from "./scopes.js";

type OnParticipantName = "remove_participant" | "hide_participant" | "show_participant";
type ParticipantOperationName = Extract<
  ColloquyOperationName,
  OnParticipantName | "invite_participant" | "leave_channel" | "drain_channel"
>;

/** A change is asked for by a member that is bound here; the hub decides whether it may. */
const byMember = (caller: Caller, raw: RawParams): void | Promise<void> =>
  requireMembership(caller, raw["channel_id"], raw["by"]);

/** Who takes part in a channel, and how it winds up. */
export const participantOperations: Operations<ParticipantOperationName> = {
  invite_participant: {
    authorize: byMember,
    run: ({ work }, { channel_id, agent_id, by }) =>
      work.hub.inviteParticipant(channel_id, agent_id, { by }),
    bulky: true,
    changes: true,
  },
  leave_channel: {
    authorize: (caller, raw) => requireInvitedOrMember(caller, raw["channel_id"], raw["agent_id"]),
    run: ({ work }, { channel_id, agent_id, reason }) =>
      work.hub.leaveChannel(channel_id, agent_id, reason),
    bulky: true,
    changes: true,
  },
  remove_participant: onParticipant((caller) => caller.work.hub.removeParticipant),
  hide_participant: onParticipant((caller) => caller.work.hub.hideParticipant),
  show_participant: onParticipant((caller) => caller.work.hub.showParticipant),
  drain_channel: {
    authorize: (caller, raw) => requireMember(caller, raw["channel_id"]),
    run: ({ work }, { channel_id, reason }) =>
      work.hub.closeChannel(channel_id, reason, { drain: true }),
    bulky: true,
    changes: true,
  },
};

function onParticipant(
  verbOf: (caller: Caller) => Caller["work"]["hub"]["removeParticipant"],
): Operation<OnParticipantName> {
  return {
    authorize: byMember,
    run: (caller, { channel_id, agent_id, by, reason }) =>
      verbOf(caller)(channel_id, agent_id, { by, reason }),
    bulky: true,
    changes: true,
  };
}
