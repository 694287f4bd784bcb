import type { ChannelMetadata } from "@colloquy/protocol";
import type { ChannelDraft } from "../append/channel-draft.js";
import type { CoreContext } from "../context/core-context.js";
import { draftLapsed } from "./draft-participant.js";
import { draftClosing, draftEnd } from "./draft-transition.js";
import { changeChannel } from "./stage-change.js";

/** Why an invitation lapses when its channel begins to close. */
const CHANNEL_CLOSING = "channel_closing";

/**
 * Lets a channel wind up before it closes; resolves once that has begun and is durable.
 *
 * From then on nothing new is said in it. What was said before goes out to everybody, and whoever has
 * not settled it may still answer it once; those answers go out too, and may not be answered. The
 * channel closes with the reason as soon as nothing of it is outstanding, and after
 * `closingTimeoutMs` in any case. A channel that is not active yet closes at once; one that closes
 * or has ended is given back as it is.
 */
export function drainChannel(
  context: CoreContext,
  channelId: string,
  reason: string,
): Promise<ChannelMetadata> {
  return changeChannel(context, channelId, ({ metadata }, draft) => {
    if (metadata.state === "pending") draftEnd(context, draft, { state: "closed", reason });
    if (metadata.state !== "active") return;
    lapseInvited(context, draft);
    draftClosing(context, draft, reason);
  });
}

function lapseInvited(context: CoreContext, draft: ChannelDraft): void {
  for (const { agent_id: agentId } of draft.metadata.invited ?? []) {
    draftLapsed(context, draft, { agentId, by: null, reason: CHANNEL_CLOSING });
  }
}
