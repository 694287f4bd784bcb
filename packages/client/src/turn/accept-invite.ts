import { type Envelope, EV_CHANNEL_INVITE_ACK, isNetworkError } from "@colloquy/protocol";
import type { ParticipantClient } from "../agent/participant-client.js";

/**
 * Accepts an invitation. What the hub refuses, such as an invitation that has run out, is left as it
 * is; a failure of the connection rejects, so that the invitation is delivered again.
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
    if (!isNetworkError(error)) throw error;
  }
}
