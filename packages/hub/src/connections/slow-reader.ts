import { CLOSE_CODES } from "../core/close-codes.js";
import type { ConnectionWork, Session } from "./session.js";

/**
 * Closes a connection whose far side asks for more than it reads. What is outstanding for its
 * agents waits for their return.
 *
 * @returns true when it was closed; nothing more is to be done for it
 */
export function closeIfSlow(work: ConnectionWork, session: Session): boolean {
  const { limits, delivery, logger } = work.context;
  const { peer, endpointId } = session;
  const { bufferedBytes } = peer;
  if (bufferedBytes <= limits.maxBufferedBytes) return false;
  logger.warn(
    { peer: peer.label, endpoint_id: endpointId, buffered_bytes: bufferedBytes },
    "closed a slow reader",
  );
  session.closing = true;
  delivery.unbindAll(session);
  peer.close(CLOSE_CODES.slowReader, "slow reader");
  return true;
}
