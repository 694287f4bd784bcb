import { highWaterOf } from "../policy/inbox-gate.js";
import type { AgentEntry } from "../registry/agent-table.js";
import { type Board, countPending, writeRecord } from "./board.js";
import { type Inbox, isInScope, queueEntry } from "./inbox.js";
import { addEntry, type ChannelBook, type Ledger, openLedger } from "./ledger.js";
import { createOutstanding, type NewOutstanding, type Outstanding } from "./outstanding.js";
import { buryEntry, expiryKey, TTL_OVER } from "./settle.js";

/** An entry that was just added, with the ledger that holds it. */
export interface Added {
  readonly ledger: Ledger;
  readonly entry: Outstanding;
}

/** Adds an envelope to what an agent has outstanding: parked, counted, and with its deadline. */
export function addOutstanding(
  board: Board,
  inbox: Inbox,
  book: ChannelBook,
  facts: NewOutstanding,
): Added {
  const ledger = openLedger(book, inbox.agentId);
  const entry = createOutstanding(facts);
  addEntry(ledger, entry);
  inbox.active.set(book.channelId, ledger);
  // The first record makes the channel known to a restart, also when it has closed by then.
  if (ledger.written < 0) writeRecord(board, ledger);
  if (entry.substantive) countPending(board, inbox, 1);
  if (entry.expiresAt !== Number.POSITIVE_INFINITY) armExpiry(board, inbox, ledger, entry);
  return { ledger, entry };
}

function armExpiry(board: Board, inbox: Inbox, ledger: Ledger, entry: Outstanding): void {
  board.context.deadlines.set(expiryKey(ledger, entry), entry.expiresAt, () => {
    if (entry.state !== "sent" && ledger.entries.includes(entry)) {
      buryEntry(board, inbox, ledger, entry, TTL_OVER);
    }
  });
}

/** Queues a parked entry if the present connection wants such as it. */
export function queueIfWanted(inbox: Inbox, ledger: Ledger, entry: Outstanding): void {
  const { scope } = inbox;
  const isNew = scope !== null && isInScope(scope, ledger.book.channelId, entry.envelopeId);
  const wanted = isNew || (entry.retried && inbox.connection !== null);
  if (wanted || inbox.replaying !== null) queueEntry(inbox, ledger, entry);
}

/**
 * Applies the recipient's rule to an inbox that has just grown: warns once per crossing of the
 * high-water mark, and gives up one envelope when there are more than the rule allows and it says
 * `drop_oldest` or `drop_newest`.
 *
 * @returns false when the new entry itself was given up
 */
export function applyInboxRule(
  board: Board,
  inbox: Inbox,
  recipient: AgentEntry,
  { ledger, entry }: Added,
): boolean {
  if (!entry.substantive) return true;
  const { max_pending, overflow } = recipient.rule.limits.inbox;
  if (inbox.pending === highWaterOf(recipient.rule)) {
    board.context.listeners.emit("onInboxPressure", inbox.agentId, inbox.pending, max_pending);
  }
  if (max_pending <= 0 || inbox.pending <= max_pending || overflow === "reject") return true;
  const victim = overflow === "drop_newest" ? { ledger, entry } : oldestSubstantive(inbox);
  if (victim === null) return true;
  const reason = `inbox at capacity (${max_pending}), overflow ${overflow}`;
  buryEntry(board, inbox, victim.ledger, victim.entry, reason);
  return victim.entry !== entry;
}

function oldestSubstantive(inbox: Inbox): Added | null {
  let oldest: Added | null = null;
  for (const ledger of inbox.active.values()) {
    const entry = ledger.entries.find((candidate) => candidate.substantive);
    if (entry === undefined) continue;
    if (oldest === null || entry.envelopeId < oldest.entry.envelopeId) oldest = { ledger, entry };
  }
  return oldest;
}
