import { AccessDeniedError, RateLimitedError } from "@colloquy/protocol";
import { refreshPresence } from "./presence.js";
import { agentsOf, type ConnectionWork, isBoundTo, type Session } from "./session.js";
import { tellReplaced } from "./tell-replaced.js";

/** Throws `AccessDeniedError` when the connection speaks for as many agents as it may, or is about to. */
export function requireRoomForAgent(work: ConnectionWork, session: Session): void {
  const { maxAgentsPerConnection } = work.context.limits;
  if (agentsOf(work, session).length + session.registering < maxAgentsPerConnection) return;
  throw new AccessDeniedError(
    `this connection speaks for ${maxAgentsPerConnection} agents already; open another one`,
  );
}

/**
 * Ties an agent whose claim is accepted to a connection. The newest connection wins: an older one
 * gets nothing more for that agent and is told so.
 *
 * @throws AccessDeniedError when the connection holds as many agents as it may
 * @throws RateLimitedError when the agent moves between live connections too often
 */
export function bindAgent(work: ConnectionWork, session: Session, agentId: string): void {
  if (isBoundTo(work, session, agentId)) return;
  requireRoomForAgent(work, session);
  const older = work.context.delivery.connectionOf(agentId);
  if (older !== null) requireSwap(work, agentId);
  work.context.delivery.bind(agentId, session);
  refreshPresence(work, session);
  const loser = older === null ? undefined : work.sessions.get(older.endpointId);
  if (loser !== undefined) tellReplaced(work, loser, agentId);
}

function requireSwap(work: ConnectionWork, agentId: string): void {
  const waitMs = work.swaps.take(agentId);
  if (waitMs === 0) return;
  throw new RateLimitedError(
    `this agent has moved between connections ${work.context.limits.maxSwapsPerMinute} times within a minute; retry in ${waitMs} ms`,
    waitMs,
  );
}
