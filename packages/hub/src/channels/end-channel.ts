import {
  type ChannelMetadata,
  type ChannelState,
  isTerminalState,
  TooLargeError,
} from "@colloquy/protocol";
import { beginDraft } from "../append/channel-draft.js";
import { stageDraft } from "../append/stage-draft.js";
import type { CoreContext } from "../context/core-context.js";
import type { LiveChannel } from "../live/live-channel.js";
import { type ChannelEnd, draftEnd } from "./draft-transition.js";

/** What `closeChannel` writes when no reason is given. */
const DEFAULT_CLOSE_REASON = "explicit_close";

/**
 * Ends a channel; resolves with its metadata once that is durable. The first end wins: a channel
 * that has ended is given back as it is.
 *
 * @param onlyWhile - with it, a channel in another state is left and given back as it is
 * @throws NotFoundError for an unknown channel, StoreError when it cannot be read or written
 */
export async function endChannel(
  context: CoreContext,
  channelId: string,
  end: ChannelEnd,
  onlyWhile?: ChannelState,
): Promise<ChannelMetadata> {
  for (;;) {
    const live = await context.channels.load(channelId);
    if (!context.channels.isCurrent(live)) continue;
    const { state } = live.metadata;
    if (onlyWhile !== undefined && state !== onlyWhile) return live.metadata;
    return endLive(context, live, end);
  }
}

async function endLive(
  context: CoreContext,
  live: LiveChannel,
  end: ChannelEnd,
): Promise<ChannelMetadata> {
  if (isTerminalState(live.metadata.state)) {
    const { metadata } = live;
    if (live.durable.metadata !== metadata) await context.committer.stage({});
    return metadata;
  }
  const draft = beginDraft(live);
  draftEnd(context, draft, end);
  context.tasks.endTasksOf(live.id);
  await new Promise<void>((resolve, reject) => {
    stageDraft(context, draft, { onCommitted: resolve, onFailed: reject });
  });
  return draft.metadata;
}

/**
 * Closes a channel by its id. Throws `NotFoundError` for an unknown one, `TooLargeError` for a reason
 * beyond `maxEnvelopeBytes`, `StoreError` when it cannot be read or written.
 */
export async function closeChannel(
  context: CoreContext,
  channelId: string,
  reason = "",
): Promise<ChannelMetadata> {
  requireShort(context, reason);
  const end = { state: "closed", reason: reason || DEFAULT_CLOSE_REASON } as const;
  return endChannel(context, channelId, end);
}

/** A reason becomes part of an envelope and of the metadata that every listing shows. */
function requireShort({ limits }: CoreContext, reason: string): void {
  const bytes = Buffer.byteLength(reason);
  const max = limits.maxEnvelopeBytes;
  if (bytes <= max) return;
  throw new TooLargeError(`the reason has ${bytes} bytes, more than maxEnvelopeBytes (${max})`, {
    details: { bytes, max_bytes: max },
  });
}
