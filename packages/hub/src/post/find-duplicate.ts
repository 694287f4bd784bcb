import { type Envelope, ProtocolError } from "@colloquy/protocol";
import { isInviteAnswer } from "../channels/handshake.js";
import type { LiveChannel } from "../channels/live-channel.js";
import { quote } from "../core/quote.js";
import { digestContent } from "../wal/hash-chain.js";
import type { RememberedAnswer } from "./causation-index.js";
import type { Incoming } from "./read-incoming.js";

/**
 * The envelope that this one repeats, or null.
 *
 * Same sender, channel and idempotency key is a repeat when type and content are the same, and an
 * error when they are not. `prepared` gives the content as it would stand in the WAL, since an
 * adapter may have changed the first one. A second answer to one invitation is a repeat too.
 */
export function findDuplicate(
  live: LiveChannel,
  { envelope, content }: Incoming,
  prepared: () => string,
): RememberedAnswer | null {
  if (envelope.idempotency_key !== null) {
    const first = live.idempotency.find(envelope.sender_id, envelope.idempotency_key);
    if (first !== undefined) {
      const isSame =
        first.event_type === envelope.event_type &&
        (first.digest === digestContent(content.text) ||
          first.digest === digestContent(prepared()));
      if (isSame) return first;
      throw new ProtocolError(
        `idempotency key ${quote(envelope.idempotency_key)} was used for another envelope of this sender: ${first.envelope_id}`,
        { details: { envelope_id: first.envelope_id } },
      );
    }
  }
  return repeatedAnswer(live, envelope);
}

function repeatedAnswer(live: LiveChannel, envelope: Envelope): RememberedAnswer | null {
  if (!isInviteAnswer(envelope.event_type) || envelope.causation_id === null) return null;
  const first = live.causation.find(envelope.sender_id, envelope.causation_id);
  return first?.event_type === envelope.event_type ? first : null;
}
