import { type Envelope, ProtocolError } from "@colloquy/protocol";
import { isInviteAnswer } from "../channels/handshake.js";
import type { HubContext } from "../context/hub-context.js";
import { quote } from "../core/quote.js";
import type { RememberedAnswer } from "../live/causation-index.js";
import type { RememberedPost } from "../live/idempotency-index.js";
import type { LiveChannel } from "../live/live-channel.js";
import { digestContent } from "../wal/hash-chain.js";
import { prepareContent } from "./prepare-content.js";
import type { Incoming } from "./read-incoming.js";

/**
 * The envelope that this one repeats, or null.
 *
 * Same sender, channel and idempotency key is a repeat when type and content are the same, and an
 * error when they are not. A second answer to one invitation is a repeat too.
 */
export function findDuplicate(
  context: Pick<HubContext, "agents" | "logger">,
  live: LiveChannel,
  incoming: Incoming,
): RememberedAnswer | null {
  const { sender_id, idempotency_key: key } = incoming.envelope;
  if (key === null) return repeatedAnswer(live, incoming.envelope);
  const first = live.idempotency.find(sender_id, key);
  if (first === undefined) return repeatedAnswer(live, incoming.envelope);
  if (isSame(context, live, incoming, first)) return first;
  throw new ProtocolError(
    `idempotency key ${quote(key)} was used for another envelope of this sender: ${first.envelope_id}`,
    { details: { envelope_id: first.envelope_id } },
  );
}

/** The content in the WAL is what the adapter made of the first one, so both forms are compared. */
function isSame(
  context: Pick<HubContext, "agents" | "logger">,
  live: LiveChannel,
  incoming: Incoming,
  first: RememberedPost,
): boolean {
  if (first.event_type !== incoming.envelope.event_type) return false;
  if (first.digest === digestContent(incoming.content.text)) return true;
  const { adapter } = live;
  if (adapter === null) return false;
  const { content } = prepareContent(context, { live, adapter }, incoming);
  return first.digest === digestContent(content.text);
}

function repeatedAnswer(live: LiveChannel, envelope: Envelope): RememberedAnswer | null {
  if (envelope.causation_id === null || !isInviteAnswer(envelope.event_type)) return null;
  const first = live.causation.find(envelope.sender_id, envelope.causation_id);
  return first?.event_type === envelope.event_type ? first : null;
}
