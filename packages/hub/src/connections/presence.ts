import { CLOSE_CODES } from "../core/close-codes.js";
import { agentsOf, type ConnectionWork, type Session } from "./session.js";

/**
 * Looks anew at whether a connection speaks for anybody, an operator included. One that does not is counted, and closed
 * when its deadline passes; calling this again moves the deadline.
 */
export function refreshPresence(work: ConnectionWork, session: Session): void {
  const { clock, deadlines, limits } = work.context;
  const key = `hello ${session.endpointId}`;
  const speaks = session.principal !== null || agentsOf(work, session).length > 0;
  if (session.ended || speaks) {
    if (work.unbound.delete(session)) deadlines.clear(key);
    return;
  }
  work.unbound.add(session);
  deadlines.set(key, clock.now() + limits.helloDeadlineMs, () => {
    if (!work.unbound.has(session)) return;
    const seconds = limits.helloDeadlineMs / 1000;
    session.peer.close(CLOSE_CODES.helloTimeout, `no hello or request within ${seconds} s`);
  });
}
