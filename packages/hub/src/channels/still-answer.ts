import type { Envelope } from "@colloquy/protocol";
import type { HubContext } from "../context/hub-context.js";
import type { LiveChannel } from "../live/live-channel.js";
import { isReply } from "../live/remember-envelope.js";

/**
 * True for what may still be said while a channel winds up: a text or packet that answers an envelope
 * which the sender got before that began and has not settled.
 */
export function mayStillAnswer(
  { delivery }: Pick<HubContext, "delivery">,
  { id, metadata: { wind_up } }: Pick<LiveChannel, "id" | "metadata">,
  {
    sender_id,
    causation_id,
    event_type,
  }: Pick<Envelope, "sender_id" | "causation_id" | "event_type">,
): boolean {
  if (wind_up === undefined || causation_id === null || !isReply(event_type)) return false;
  const position = delivery.outstandingAt(sender_id, id, causation_id);
  return position !== null && position < wind_up.position;
}
