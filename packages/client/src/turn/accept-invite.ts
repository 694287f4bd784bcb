import {
  type Envelope,
  type ErrorCode,
  EV_CHANNEL_INVITE_ACK,
  isNetworkError,
} from "@colloquy/protocol";
import type { ParticipantClient } from "../agent/participant-client.js";

/** Refusals that are an answer: accepting again would be refused again. */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "not_found",
  "access_denied",
  "protocol_error",
  "auth_failed",
]);

/**
 * Accepts an invitation. What the hub refuses for good, such as an invitation that has run out, is
 * left as it is; a failure of the connection or a hub in trouble rejects, so that the invitation is
 * delivered again.
 */
export async function acceptInvite(
  client: Pick<ParticipantClient, "post">,
  invite: Envelope,
): Promise<void> {
  try {
    await client.post({
      channel_id: invite.channel_id,
      event_type: EV_CHANNEL_INVITE_ACK,
      event_data: { channel_id: invite.channel_id },
      causation_id: invite.envelope_id,
      idempotency_key: `accept:${invite.envelope_id}`,
    });
  } catch (error) {
    if (!isNetworkError(error) || !FINAL.has(error.code)) throw error;
  }
}
