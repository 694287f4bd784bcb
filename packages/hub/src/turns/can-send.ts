import { createEnvelope, EV_TEXT, isTerminalState } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import type { LiveChannel } from "../live/live-channel.js";

/**
 * True if the channel's contract would take an envelope of this type (default: a text) from a
 * sender now. Rules and inboxes are not asked. An unknown channel is no.
 */
export async function canSend(
  context: CoreContext,
  channelId: string,
  senderId: string,
  eventType?: string | null,
): Promise<boolean> {
  if ((await context.channels.metadata(channelId)) === null) return false;
  if (context.channels.quarantined.has(channelId)) return false;
  const live = await context.channels.load(channelId);
  return wouldAccept(live, senderId, eventType ?? EV_TEXT);
}

/** {@link canSend} for a channel in memory; decides on what is durable, which is what readers see. */
export function wouldAccept(live: LiveChannel, senderId: string, eventType = EV_TEXT): boolean {
  const { adapter, durable } = live;
  const { metadata, state } = durable;
  if (adapter === null || isTerminalState(metadata.state)) return false;
  if (!live.addressed.has(senderId)) return false;
  const probe = createEnvelope({
    channel_id: live.id,
    sender_id: senderId,
    event_type: eventType,
    event_data: { text: "" },
  });
  try {
    adapter.validateSend(metadata, probe, state);
    return true;
  } catch {
    return false;
  }
}
