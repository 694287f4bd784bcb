import { AccessDeniedError, type DeltaFrame, NotFoundError } from "@colloquy/protocol";
import { quote } from "../core/quote.js";
import { type ConnectionWork, isBoundTo, type Session } from "./session.js";

const SECOND_MS = 1_000;

/**
 * Passes a piece of an answer on to the other members of its channel that are bound right now, once
 * per connection. It is never stored. Whoever would not be sent an envelope does not get it either:
 * hidden members, and all whom the piece's audience does not name. A peer that is behind with reading
 * misses it; everybody does when it is too long, when its sender is hidden, or when its connection
 * sends more in a second than it may.
 *
 * @throws AccessDeniedError for a sender that is not bound to this connection
 * @throws NotFoundError for a channel that is not open or not the sender's
 */
export function relayDelta(work: ConnectionWork, session: Session, delta: DeltaFrame): void {
  const { channels, delivery, limits } = work.context;
  if (!isBoundTo(work, session, delta.sender_id)) {
    throw new AccessDeniedError(`connection is not bound to agent ${quote(delta.sender_id)}`);
  }
  const live = channels.peek(delta.channel_id);
  if (live === undefined || !live.participants.has(delta.sender_id)) {
    throw new NotFoundError(`channel not found: ${quote(delta.channel_id)}`);
  }
  const { state } = live.metadata;
  if (state !== "active" && state !== "closing") return;
  if (!live.addressed.has(delta.sender_id) || !takePiece(work, session)) return;
  if (delta.text.length > limits.maxDeltaCharacters) return;
  const served = new Set<unknown>();
  for (const agentId of delta.audience ?? live.addressed) {
    if (agentId === delta.sender_id || !live.addressed.has(agentId)) continue;
    const to = delivery.connectionOf(agentId);
    if (to === null || served.has(to)) continue;
    served.add(to);
    if (hasRoom(work, to.peer)) to.peer.send(delta);
  }
}

/** Counts a piece against what its connection may send within a second. */
function takePiece({ context }: ConnectionWork, session: Session): boolean {
  const now = context.clock.now();
  const window = session.pieces;
  if (window === null || now - window.since >= SECOND_MS || now < window.since) {
    session.pieces = { since: now, count: 1 };
    return context.limits.maxDeltasPerSecond > 0;
  }
  window.count += 1;
  return window.count <= context.limits.maxDeltasPerSecond;
}

function hasRoom(work: ConnectionWork, peer: Session["peer"]): boolean {
  if (peer.profile === "ag2") return false;
  return peer.bufferedBytes * 4 <= work.context.limits.maxBufferedBytes;
}
