import { overloaded } from "../core/overloaded.js";
import type { ConnectionWork, Session } from "./session.js";

/**
 * Counts a message that waits for its answer, or for a hello before it. One that is alone on its
 * connection has room there whatever its size.
 *
 * @throws UnavailableError when the connection, or all together, have as much waiting as they may
 */
export function reserve(work: ConnectionWork, session: Session, bytes: number): void {
  const { maxUnansweredBytes, maxHubUnansweredBytes } = work.context.limits;
  if (session.unanswered > 0 && session.unanswered + bytes > maxUnansweredBytes) {
    throw overloaded(
      `${session.unanswered} bytes of this connection's messages wait for their answer (maxUnansweredBytes)`,
    );
  }
  if (work.load.unanswered > 0 && work.load.unanswered + bytes > maxHubUnansweredBytes) {
    throw overloaded(
      `${work.load.unanswered} bytes of messages wait for the hub (maxHubUnansweredBytes)`,
    );
  }
  session.unanswered += bytes;
  work.load.unanswered += bytes;
}

/** Takes back what {@link reserve} counted. */
export function release(work: ConnectionWork, session: Session, bytes: number): void {
  session.unanswered -= bytes;
  work.load.unanswered -= bytes;
}
