import { type ChannelMetadata, isTerminalState } from "@colloquy/protocol";
import { beginDraft, type ChannelDraft } from "../append/channel-draft.js";
import { stageDraft } from "../append/stage-draft.js";
import type { CoreContext } from "../context/core-context.js";
import type { LiveChannel } from "../live/live-channel.js";

/**
 * Decides on a change of a channel that is in memory and stages it; resolves with the metadata once
 * that is durable. `draftChange` runs in the instant in which the change is staged; it throws to
 * refuse, and adds nothing to leave the channel as it is.
 */
export async function changeChannel(
  context: CoreContext,
  channelId: string,
  draftChange: (live: LiveChannel, draft: ChannelDraft) => void,
): Promise<ChannelMetadata> {
  for (;;) {
    const live = await context.channels.load(channelId);
    if (!context.channels.isCurrent(live)) continue;
    const draft = beginDraft(live);
    draftChange(live, draft);
    if (draft.entries.length > 0) await stageChange(context, draft);
    else if (live.durable.metadata !== live.metadata) await context.committer.stage({});
    return draft.metadata;
  }
}

/** Stages what was drafted; a channel that ends with it takes its tasks along. */
export function stageChange(context: CoreContext, draft: ChannelDraft): Promise<void> {
  if (isTerminalState(draft.metadata.state)) context.tasks.endTasksOf(draft.live.id);
  return new Promise<void>((resolve, reject) => {
    stageDraft(context, draft, { onCommitted: resolve, onFailed: reject });
  });
}
