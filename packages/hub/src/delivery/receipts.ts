import { redactText } from "@colloquy/protocol";
import { type Board, inboxOf } from "./board.js";
import type { Receipt } from "./delivery.js";
import { type Inbox, leaveState, parkEntry, queueEntry } from "./inbox.js";
import { findEntry, type Ledger } from "./ledger.js";
import { type Outstanding, redeliveryDelay } from "./outstanding.js";
import { pump, pumpOnRoom } from "./pump.js";
import { acknowledgeEntry, buryEntry, retryKey, TTL_OVER } from "./settle.js";

const MAX_REASON_LENGTH = 500;

/**
 * Applies a receipt whose sender is known to be the recipient.
 *
 * @returns false when it names nothing that is known to be the recipient's; then nothing changed
 */
export function applyReceipt(board: Board, receipt: Receipt): boolean {
  const { recipient_id, channel_id, envelope_id } = receipt;
  if (typeof envelope_id !== "string" || envelope_id === "") return false;
  const ledger = board.books.get(channel_id)?.ledgers.get(recipient_id);
  if (ledger === undefined) return false;
  const entry = findEntry(ledger, envelope_id);
  if (entry === undefined) return isOld(board, ledger, receipt);
  const inbox = inboxOf(board, recipient_id);
  if (receipt.status === "taken_up") {
    if (entry.state === "sent") entry.takenUpAt = board.context.clock.now();
    return true;
  }
  if (receipt.status === "ack") acknowledgeEntry(board, inbox, ledger, entry);
  else refuse(board, inbox, ledger, entry, receipt.reason);
  pumpOnRoom(board, inbox);
  return true;
}

/** A repeat of a receipt is no attempt at anything. */
function isOld(board: Board, ledger: Ledger, { envelope_id, channel_id }: Receipt): boolean {
  if (envelope_id <= ledger.cursor) return true;
  const release = board.recent.get(envelope_id);
  return release?.channelId === channel_id && release.recipients.includes(ledger.agentId);
}

/** Sends it again after a delay that doubles each time, or gives it up. */
function refuse(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
  reason: string,
): void {
  const text = String(reason).slice(0, 2 * MAX_REASON_LENGTH);
  entry.reason = redactText(text).slice(0, MAX_REASON_LENGTH);
  if (entry.state !== "sent") return;
  entry.refusals += 1;
  entry.failedAt = board.context.clock.now();
  const { limits, clock, deadlines } = board.context;
  if (entry.expiresAt <= clock.now()) {
    buryEntry(board, inbox, ledger, entry, TTL_OVER);
    return;
  }
  if (entry.refusals >= limits.maxDeliveryAttempts) {
    const why = entry.reason === "" ? "refused" : entry.reason;
    buryEntry(board, inbox, ledger, entry, `given up after ${entry.refusals}: ${why}`);
    return;
  }
  leaveState(inbox, ledger, entry);
  entry.state = "waiting";
  const dueAt = clock.now() + redeliveryDelay(limits, entry.refusals);
  deadlines.set(retryKey(ledger, entry), dueAt, () => {
    retry(board, inbox, ledger, entry);
  });
}

/** Keeps that a recipient's turn on an envelope has failed, for the envelope's ledger. */
export function noteFailure(
  board: Board,
  failure: {
    readonly agent_id: string;
    readonly channel_id: string;
    readonly envelope_id: string;
    readonly error: string;
  },
): void {
  const { agent_id, channel_id, envelope_id } = failure;
  const reason = failure.error.slice(0, MAX_REASON_LENGTH);
  const now = board.context.clock.now();
  const ledger = board.books.get(channel_id)?.ledgers.get(agent_id);
  const entry = ledger === undefined ? undefined : findEntry(ledger, envelope_id);
  if (entry !== undefined) {
    entry.failedAt = now;
    entry.reason = reason;
    return;
  }
  const line = board.recent.line(envelope_id, agent_id);
  if (line === null) return;
  line.failedAt = now;
  line.reason = reason;
  if (line.state === "acknowledged") line.state = "failed";
}

function retry(board: Board, inbox: Inbox, ledger: Ledger, entry: Outstanding): void {
  if (entry.state !== "waiting") return;
  if (inbox.connection === null) {
    parkEntry(inbox, ledger, entry);
    return;
  }
  queueEntry(inbox, ledger, entry);
  void pump(board, inbox);
}
