import { type ChannelMetadata, parseTimestamp } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { draftLapsed } from "./draft-participant.js";
import { changeChannel } from "./stage-change.js";

/** Why an invitation lapses that was not answered in time. */
const INVITE_TIMEOUT = "invite_timeout";

/** When the oldest invitation into an open channel lapses, in epoch milliseconds; null without one. */
export function nextOverdue(
  { limits }: Pick<CoreContext, "limits">,
  { invited = [] }: ChannelMetadata,
): number | null {
  let earliest: number | null = null;
  for (const { at } of invited) {
    const due = (parseTimestamp(at) ?? 0) + limits.inviteAckTimeoutMs;
    earliest = Math.min(earliest ?? due, due);
  }
  return earliest;
}

/** Lets every invitation of a channel lapse that is overdue. */
export function lapseInvites(context: CoreContext, channelId: string): Promise<ChannelMetadata> {
  const { clock, limits } = context;
  return changeChannel(context, channelId, ({ metadata }, draft) => {
    for (const { agent_id: agentId, at } of metadata.invited ?? []) {
      const due = (parseTimestamp(at) ?? 0) + limits.inviteAckTimeoutMs;
      if (due > clock.now()) continue;
      draftLapsed(context, draft, { agentId, by: null, reason: INVITE_TIMEOUT });
    }
  });
}
