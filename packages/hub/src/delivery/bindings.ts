import { type Board, inboxOf } from "./board.js";
import type { BoundConnection } from "./delivery.js";
import { type Inbox, parkEntry } from "./inbox.js";
import { buryEntry, retryKey, TTL_OVER } from "./settle.js";

/**
 * Ties an agent to a connection; an older one loses it. Until a replay asks for more, only what is
 * newer than this moment goes out on it.
 */
export function bindAgent(board: Board, agentId: string, connection: BoundConnection): void {
  const inbox = inboxOf(board, agentId);
  if (inbox.connection === connection) return;
  if (inbox.connection !== null) detach(board, inbox, "replaced");
  inbox.connection = connection;
  inbox.boundAt = board.context.clock.now();
  inbox.scope = { channelId: null, envelopeId: board.recent.newestId };
  const agents = board.bound.get(connection);
  if (agents === undefined) board.bound.set(connection, new Set([agentId]));
  else agents.add(agentId);
  const { endpointId } = connection;
  board.context.listeners.emit("onAgentEvent", agentId, "bound", { endpoint_id: endpointId });
}

/** Unties one agent. */
export function unbindAgent(board: Board, agentId: string): void {
  const inbox = board.inboxes.get(agentId);
  if (inbox !== undefined) detach(board, inbox, "unbound");
}

/** Unties every agent of a connection. */
export function unbindConnection(board: Board, connection: BoundConnection): void {
  for (const agentId of [...(board.bound.get(connection) ?? [])]) unbindAgent(board, agentId);
}

/**
 * Without a connection nothing is under way any more: all that is outstanding is put aside, but for
 * what outlived its time while it was with the recipient.
 */
function detach(board: Board, inbox: Inbox, reason: string): void {
  const { connection } = inbox;
  if (connection === null) return;
  const agents = board.bound.get(connection);
  agents?.delete(inbox.agentId);
  if (agents?.size === 0) board.bound.delete(connection);
  inbox.connection = null;
  board.untried.forget(inbox.agentId);
  inbox.scope = null;
  inbox.replaying = null;
  const now = board.context.clock.now();
  for (const ledger of [...inbox.active.values()]) {
    for (const entry of [...ledger.entries]) {
      if (entry.state === "waiting") board.context.deadlines.clear(retryKey(ledger, entry));
      parkEntry(inbox, ledger, entry);
      if (entry.expiresAt <= now) buryEntry(board, inbox, ledger, entry, TTL_OVER);
    }
  }
  board.context.listeners.emit("onAgentEvent", inbox.agentId, "unbound", {
    endpoint_id: connection.endpointId,
    reason,
  });
}
