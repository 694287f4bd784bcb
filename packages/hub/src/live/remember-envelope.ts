import { type Envelope, EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import type { LiveChannel } from "./live-channel.js";

/** Puts an envelope into its channel's indexes, and drops what is older than what they remember. */
export function rememberEnvelope(
  live: Pick<LiveChannel, "idempotency" | "causation">,
  envelope: Envelope,
  { position, digest, remembered }: RememberedAt,
): void {
  const { envelope_id, created_at, event_type, sender_id, causation_id, depth } = envelope;
  if (envelope.idempotency_key !== null) {
    live.idempotency.add(sender_id, envelope.idempotency_key, {
      envelope_id,
      position,
      created_at,
      event_type,
      digest,
    });
  }
  if (causation_id !== null || depth > 0) {
    live.causation.add({
      envelope_id,
      position,
      created_at,
      event_type,
      sender_id,
      causation_id,
      depth,
      isReply: isReply(event_type),
    });
  }
  live.idempotency.forgetBelow(position - remembered + 1);
  live.causation.forgetBelow(position - remembered + 1);
}

/** Where an envelope stands, and over how many a channel's indexes reach. */
export interface RememberedAt {
  readonly position: number;
  readonly digest: string;
  /** `limits.rememberedEnvelopes`. */
  readonly remembered: number;
}

/** True for the events that take a turn: of these an agent posts one per cause. */
export function isReply(eventType: string): boolean {
  return eventType === EV_TEXT || eventType === EV_PACKET;
}
