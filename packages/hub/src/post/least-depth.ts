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
 * @returns null when the cause is not among the newest envelopes: then {@link readLeastDepth} knows
 */
export function knownLeastDepth(
  { delivery }: Pick<CoreContext, "delivery">,
  live: LiveChannel,
  { causation_id: cause, event_type }: Envelope,
): number | null {
  if (cause === null || isInviteAnswer(event_type)) return 0;
  const known = live.causation.depthOf(cause);
  if (known > 0) return known;
  const recent = delivery.recent(cause);
  return typeof recent?.depth === "number" ? countHop(live, recent.channelId, recent.depth) : null;
}

/** {@link knownLeastDepth}, with the cause read from the store. Rejects with `StoreError`. */
export async function readLeastDepth(
  context: Pick<CoreContext, "delivery" | "store">,
  live: LiveChannel,
  envelope: Envelope,
): Promise<number> {
  const known = knownLeastDepth(context, live, envelope);
  if (known !== null || envelope.causation_id === null) return known ?? 0;
  const stored = await context.store.readEnvelope(envelope.causation_id);
  if (stored === null) return 0;
  return countHop(live, stored.channel_id, parseStored(stored).depth);
}

function countHop(live: LiveChannel, channelId: string, depth: number): number {
  return channelId === live.id ? depth : depth + 1;
}
