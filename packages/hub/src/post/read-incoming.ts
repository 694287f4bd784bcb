import {
  CHANNEL_EVENT_PREFIX,
  type Envelope,
  type EnvelopeDraft,
  envelopeSchema,
  explainIssue,
  HUB_EVENTS,
  NotFoundError,
  ProtocolError,
} from "@colloquy/protocol";
import * as z from "zod";
import { type SealedContent, sealContent } from "../append/seal-content.js";
import { isInviteAnswer } from "../channels/handshake.js";
import type { HubContext } from "../context/hub-context.js";
import { quote } from "../core/quote.js";
import { checkPayload } from "../wal/check-payload.js";

/** An envelope that is well-formed by itself; nothing of its channel has been looked at. */
export interface Incoming {
  /**
   * Belongs to the admission alone, which completes it in place: audience, depth, content, id and
   * time. Its keys stand in the schema's order.
   */
  readonly envelope: Envelope;
  readonly content: SealedContent;
  /** Depth that what caused it implies; the hub finds it out, whatever the sender says. */
  leastDepth: number;
}

const draftSchema = envelopeSchema.extend({
  sender_id: envelopeSchema.shape.sender_id.default(""),
  audience: envelopeSchema.shape.audience.default(null),
  event_data: z.unknown(),
});

/**
 * Checks what can be checked of a draft without its channel: shape, sender, that the event is not
 * the hub's own, and the content against the schema of its event type.
 */
export function readIncoming(context: Pick<HubContext, "agents">, draft: EnvelopeDraft): Incoming {
  const parsed = draftSchema.safeParse(draft);
  if (!parsed.success) throw explainIssue(parsed.error.issues, draft, "envelope");
  const envelope = parsed.data as Envelope;
  if (context.agents.get(envelope.sender_id) === undefined) {
    throw new NotFoundError(`sender not registered: ${quote(envelope.sender_id)}`);
  }
  checkEventType(envelope.event_type);
  const content = sealContent(envelope.event_data, "envelope.event_data");
  checkPayload(envelope.event_type, content.value);
  envelope.event_data = content.value;
  envelope.envelope_id = "";
  envelope.created_at = "";
  return { envelope, content, leastDepth: 0 };
}

function checkEventType(eventType: string): void {
  const isHubs = HUB_EVENTS.has(eventType) || eventType.startsWith(CHANNEL_EVENT_PREFIX);
  if (!isHubs || isInviteAnswer(eventType)) return;
  throw new ProtocolError(`${quote(eventType)} is emitted only by the hub`);
}
