import { type ChannelMetadata, type ChannelState, isTerminalState } from "@colloquy/protocol";
import { beginDraft } from "../append/channel-draft.js";
import type { CoreContext } from "../context/core-context.js";
import type { LiveChannel } from "../live/live-channel.js";
import { type ChannelEnd, draftEnd } from "./draft-transition.js";
import { drainChannel } from "./drain-channel.js";
import { requireShort } from "./require-short.js";
import { stageChange } from "./stage-change.js";

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
  await stageChange(context, draft);
  return draft.metadata;
}

/** How a channel is closed. */
export interface CloseOptions {
  /** True: it winds up first; see `drainChannel`. Default: it closes at once, whatever is under way. */
  readonly drain?: boolean | undefined;
}

/**
 * Closes a channel by its id; with `drain` it resolves once that has begun. Throws `NotFoundError` for an unknown one, `TooLargeError` for a reason
 * beyond `maxEnvelopeBytes`, `StoreError` when it cannot be read or written.
 */
export async function closeChannel(
  context: CoreContext,
  channelId: string,
  reason = "",
  { drain = false }: CloseOptions = {},
): Promise<ChannelMetadata> {
  requireShort(context, reason);
  const end = { state: "closed", reason: reason || DEFAULT_CLOSE_REASON } as const;
  if (drain) return drainChannel(context, channelId, end.reason);
  return endChannel(context, channelId, end);
}
