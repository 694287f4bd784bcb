import { AccessDeniedError, type DeltaFrame, NotFoundError } from "@colloquy/protocol";
import { quote } from "../core/quote.js";
import { type ConnectionWork, isBoundTo, type Session } from "./session.js";

/** Most characters of text in one delta. */
const MAX_DELTA_LENGTH = 16_384;

/**
 * Passes a piece of an answer on to the other members of its channel that are bound right now, once
 * per connection. It is never stored; a peer that is behind with reading misses it, and so does
 * everybody when the piece is too long. All members get it, so a turn that is meant for some of
 * them only must not be streamed.
 *
 * @throws AccessDeniedError for a sender that is not bound to this connection
 * @throws NotFoundError for a channel that is not open or not the sender's
 */
export function relayDelta(work: ConnectionWork, session: Session, delta: DeltaFrame): void {
  const { channels, delivery } = work.context;
  if (!isBoundTo(work, session, delta.sender_id)) {
    throw new AccessDeniedError(`connection is not bound to agent ${quote(delta.sender_id)}`);
  }
  const live = channels.peek(delta.channel_id);
  if (live === undefined || !live.participants.has(delta.sender_id)) {
    throw new NotFoundError(`channel not found: ${quote(delta.channel_id)}`);
  }
  if (delta.text.length > MAX_DELTA_LENGTH || live.metadata.state !== "active") return;
  const served = new Set<unknown>();
  for (const agentId of live.participants) {
    if (agentId === delta.sender_id) continue;
    const to = delivery.connectionOf(agentId);
    if (to === null || served.has(to)) continue;
    served.add(to);
    if (hasRoom(work, to.peer)) to.peer.send(delta);
  }
}

function hasRoom(work: ConnectionWork, peer: Session["peer"]): boolean {
  if (peer.profile === "ag2") return false;
  return peer.bufferedBytes * 4 <= work.context.limits.maxBufferedBytes;
}
