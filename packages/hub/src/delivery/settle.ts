import { type DeliveryState, formatTimestamp } from "@colloquy/protocol";
import { type Board, countPending, dropSettled, writeRecord } from "./board.js";
import { tellIdle } from "./idle.js";
import { type Inbox, leaveState } from "./inbox.js";
import { type Ledger, removeEntry } from "./ledger.js";
import { noteEntry } from "./line-facts.js";
import { lagSince } from "./measure.js";
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

/** Takes an entry out for good, and keeps how it ended for the envelope's ledger. */
export function endEntry(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
  state: DeliveryState,
  reason: string,
): void {
  settleEntry(board, inbox, ledger, entry);
  const line = board.recent.line(entry.envelopeId, ledger.agentId);
  if (line === null) return;
  noteEntry(line, entry);
  line.state = state;
  line.reason = reason;
  line.settledAt = board.context.clock.now();
}

/** Takes an entry out that the recipient has handled; with it goes the dead letter that it was. */
export function acknowledgeEntry(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
): void {
  board.context.meters?.acknowledged(lagSince(board, entry.envelopeId));
  if (entry.envelopeId > ledger.cursor) ledger.cursor = entry.envelopeId;
  // Peers of the bare profile acknowledge what they have reported as failed.
  const isFailed = entry.failedAt > 0;
  const reason = isFailed ? entry.reason : "";
  endEntry(board, inbox, ledger, entry, isFailed ? "failed" : "acknowledged", reason);
  if (board.letters.size === 0) return;
  const kept = board.letters.get(ledger.agentId, entry.envelopeId);
  if (kept !== undefined) board.letters.remove(kept);
}

/** Gives an entry up: settled without an acknowledgement, kept as a dead letter, and told to the listeners. */
export function buryEntry(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
  reason: string,
): void {
  endEntry(board, inbox, ledger, entry, reason === TTL_OVER ? "expired" : "dead", reason);
  keepLetter(board, ledger, entry, reason);
  const { channelId } = ledger.book;
  board.context.listeners.emit("onDeadLetter", entry.envelopeId, channelId, ledger.agentId, reason);
}

/** Takes an entry out that the rules keep from the recipient; one that was retried is a dead letter again. */
export function refuseEntry(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
  reason: string,
): void {
  endEntry(board, inbox, ledger, entry, "refused", reason);
  if (entry.retried) keepLetter(board, ledger, entry, `refused: ${reason}`);
}

function keepLetter(board: Board, ledger: Ledger, entry: Outstanding, reason: string): void {
  const known = board.letters.get(ledger.agentId, entry.envelopeId);
  board.letters.put({
    recipient_id: ledger.agentId,
    envelope_id: entry.envelopeId,
    channel_id: ledger.book.channelId,
    position: entry.position,
    sender_id: entry.senderId,
    event_type: entry.eventType,
    reason,
    attempts: entry.attempt,
    state: "dead",
    retries: known?.letter.retries ?? 0,
    died_at: formatTimestamp(board.context.clock.now()),
    expires_at: Number.isFinite(entry.expiresAt) ? formatTimestamp(entry.expiresAt) : null,
  });
}
