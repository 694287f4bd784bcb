import { AccessDeniedError } from "@colloquy/protocol";
import { CLOSE_CODES } from "../core/close-codes.js";
import { sendError } from "./answer-errors.js";
import { refreshPresence } from "./presence.js";
import { agentsOf, type ConnectionWork, type Session } from "./session.js";

/**
 * Tells a connection that another one speaks for its agent now. A `colloquy.v1` peer gets a hint. A
 * bare one gets an error frame, as its profile has no other; when it speaks for nobody else, it is
 * closed with 4009, because its clients pass over such a frame and would wait for ever.
 *
 * A bare client takes an error for the answer to its oldest hello, so that one waits while a hello
 * of this connection is being checked; see {@link tellHeldBack}.
 */
export function tellReplaced(work: ConnectionWork, session: Session, agentId: string): void {
  refreshPresence(work, session);
  if (session.peer.profile !== "ag2") {
    session.peer.send({
      kind: "hint",
      hint: "replaced",
      agent_id: agentId,
      message: "another connection speaks for this agent now",
    });
  } else if (session.handshakes > 0) {
    session.replaced = [...(session.replaced ?? []), agentId];
  } else {
    tellBare(work, session, agentId);
  }
}

/** Tells what {@link tellReplaced} kept back; called once no hello is being checked any more. */
export function tellHeldBack(work: ConnectionWork, session: Session): void {
  const { replaced } = session;
  session.replaced = null;
  for (const agentId of replaced ?? []) {
    if (session.ended || session.closing) return;
    if (!agentsOf(work, session).includes(agentId)) tellBare(work, session, agentId);
  }
}

function tellBare(work: ConnectionWork, session: Session, agentId: string): void {
  const message = `agent '${agentId}' is no longer bound here: another connection speaks for it now`;
  sendError(work, session, new AccessDeniedError(message));
  const isIdle = session.registering === 0 && session.requestsInFlight === 0;
  if (!isIdle || session.principal !== null || agentsOf(work, session).length > 0) return;
  session.closing = true;
  session.peer.close(CLOSE_CODES.replaced, "replaced by another connection");
}
