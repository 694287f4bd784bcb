import { type Board, countPending, dropSettled, writeRecord } from "./board.js";
import type { DeliveryState } from "./delivery.js";
import { tellIdle } from "./idle.js";
import { type Inbox, leaveState } from "./inbox.js";
import { type Ledger, removeEntry } from "./ledger.js";
import type { Outstanding } from "./outstanding.js";

/** Why an envelope is given up that was not dealt with in its time. */
export const TTL_OVER = "its time to live is over";

/** Key of the deadline at which a refused envelope is sent again. */
export function retryKey(ledger: Ledger, entry: Outstanding): string {
  return `delivery-retry ${ledger.agentId} ${entry.envelopeId}`;
}

/** Key of the deadline at which an envelope's time to live is over. */
export function expiryKey(ledger: Ledger, entry: Outstanding): string {
  return `delivery-expiry ${ledger.agentId} ${entry.envelopeId}`;
}

/** Takes an entry out for good: it is outstanding no longer, and that is written. */
export function settleEntry(board: Board, inbox: Inbox, ledger: Ledger, entry: Outstanding): void {
  const { deadlines } = board.context;
  if (entry.state === "waiting") deadlines.clear(retryKey(ledger, entry));
  if (entry.expiresAt !== Number.POSITIVE_INFINITY) deadlines.clear(expiryKey(ledger, entry));
  leaveState(inbox, ledger, entry);
  removeEntry(ledger, entry);
  if (ledger.entries.length === 0) inbox.active.delete(ledger.book.channelId);
  if (entry.substantive) countPending(board, inbox, -1);
  writeRecord(board, ledger);
  if (ledger.entries.length > 0) return;
  if (ledger.departed) ledger.book.ledgers.delete(ledger.agentId);
  if (ledger.book.forgotten) dropSettled(board, ledger.book);
  if (board.idleWaiters.size > 0) tellIdle(board, ledger.book.channelId);
}

/** Gives an entry up: settled without an acknowledgement, and told to the listeners. */
export function buryEntry(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
  reason: string,
): void {
  settleEntry(board, inbox, ledger, entry);
  noteOutcome(board, ledger, entry, "dead", reason);
  const { channelId } = ledger.book;
  board.context.listeners.emit("onDeadLetter", entry.envelopeId, channelId, ledger.agentId, reason);
}

/** Keeps how it ended, for the envelope's ledger. */
export function noteOutcome(
  board: Board,
  ledger: Ledger,
  entry: Outstanding,
  state: DeliveryState,
  reason: string,
): void {
  const outcome = { state, attempt: entry.attempt, reason };
  board.recent.note(entry.envelopeId, ledger.agentId, outcome);
}
