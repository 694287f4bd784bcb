import type { Envelope } from "@colloquy/protocol";
import { isInviteAnswer } from "../channels/handshake.js";
import type { CoreContext } from "../context/core-context.js";
import type { LiveChannel } from "../live/live-channel.js";
import { parseStored } from "../wal/parse-stored.js";

/**
 * Depth that an envelope has at least because of its cause: that of the cause, and one more when the
 * cause stands in another channel, because this is how work is passed on. An envelope without a
 * cause, or with one that there is not, has none; neither have the answers to an invitation.
 *
 * At once when the cause is among the newest envelopes; otherwise it is read.
 */
export function leastDepth(
  { delivery, store }: Pick<CoreContext, "delivery" | "store">,
  live: LiveChannel,
  { causation_id: cause, event_type }: Envelope,
): number | Promise<number> {
  if (cause === null || isInviteAnswer(event_type)) return 0;
  const known = live.causation.depthOf(cause);
  if (known > 0) return known;
  const recent = delivery.recent(cause);
  if (typeof recent?.depth === "number") return countHop(live, recent.channelId, recent.depth);
  return store.readEnvelope(cause).then((stored) => {
    if (stored === null) return 0;
    return countHop(live, stored.channel_id, parseStored(stored).depth);
  });
}

function countHop(live: LiveChannel, channelId: string, depth: number): number {
  return channelId === live.id ? depth : depth + 1;
}
