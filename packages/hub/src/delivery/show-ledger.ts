import type { Board } from "./board.js";
import type { DeliveryState, LedgerLine } from "./delivery.js";
import { findEntry } from "./ledger.js";
import type { Outstanding, OutstandingState } from "./outstanding.js";

const SHOWN: { readonly [S in OutstandingState]: DeliveryState } = {
  parked: "queued",
  queued: "queued",
  sent: "sent",
  waiting: "refused",
};

/**
 * State per recipient of one envelope: exact for those who have it outstanding; how it ended for
 * the others, as long as the envelope is among the newest of the hub.
 */
export function showLedger(
  board: Board,
  channelId: string,
  envelopeId: string,
): readonly LedgerLine[] {
  const ledgers = board.books.get(channelId)?.ledgers ?? new Map();
  const release = board.recent.get(envelopeId);
  const recipients = release?.channelId === channelId ? release.recipients : ledgers.keys();
  const lines: LedgerLine[] = [];
  for (const recipientId of recipients) {
    const ledger = ledgers.get(recipientId);
    const entry = ledger === undefined ? undefined : findEntry(ledger, envelopeId);
    const outcome = release?.outcomes?.get(recipientId);
    if (entry !== undefined) lines.push(lineOf(recipientId, entry, outcome?.state === "answered"));
    else if (outcome !== undefined) lines.push({ recipient_id: recipientId, ...outcome });
    else if (release !== undefined) lines.push(acknowledged(recipientId));
  }
  return lines;
}

function lineOf(recipientId: string, entry: Outstanding, answered: boolean): LedgerLine {
  return {
    recipient_id: recipientId,
    state: answered ? "answered" : SHOWN[entry.state],
    attempt: entry.attempt,
    reason: entry.reason,
  };
}

function acknowledged(recipientId: string): LedgerLine {
  return { recipient_id: recipientId, state: "acknowledged", attempt: 1, reason: "" };
}
