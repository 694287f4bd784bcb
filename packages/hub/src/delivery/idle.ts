import type { Board } from "./board.js";
import { findEntry } from "./ledger.js";

/** See `Delivery.outstandingAt`. */
export function outstandingAt(
  board: Board,
  agentId: string,
  channelId: string,
  envelopeId: string,
): number | null {
  const ledger = board.books.get(channelId)?.ledgers.get(agentId);
  return ledger === undefined ? null : (findEntry(ledger, envelopeId)?.position ?? null);
}

/** See `Delivery.outstandingIn`. */
export function outstandingIn(
  board: Board,
  channelId: string,
): { readonly agent_id: string; readonly count: number }[] {
  const ledgers = [...(board.books.get(channelId)?.ledgers.values() ?? [])];
  return ledgers
    .filter(({ entries }) => entries.length > 0)
    .map(({ agentId, entries }) => ({ agent_id: agentId, count: entries.length }));
}

/** See `Delivery.whenIdle`. */
export function whenIdle(board: Board, channelId: string, run: (() => void) | null): void {
  board.idleWaiters.delete(channelId);
  if (run === null) return;
  board.idleWaiters.set(channelId, run);
  tellIdle(board, channelId);
}

/** Calls back whoever waits for a channel of which nothing is outstanding any more. */
export function tellIdle(board: Board, channelId: string): void {
  const run = board.idleWaiters.get(channelId);
  const book = board.books.get(channelId);
  if (run === undefined || book === undefined || book.known === 0) return;
  for (const { loaded, entries } of book.ledgers.values()) {
    if (!loaded || entries.length > 0) return;
  }
  board.idleWaiters.delete(channelId);
  run();
}
