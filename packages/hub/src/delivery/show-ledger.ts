import type { LedgerLine } from "@colloquy/protocol";
import type { Board } from "./board.js";
import { findEntry, isSettled, type Ledger } from "./ledger.js";
import { noFacts, outstandingLine, settledLine } from "./line-facts.js";
import { lineOf } from "./recent-releases.js";

/**
 * State per recipient of one envelope: exact for those who have it outstanding; how it ended for
 * the others, as long as the envelope is among the newest of the hub.
 */
export function showLedger(
  board: Board,
  channelId: string,
  envelopeId: string,
): readonly LedgerLine[] {
  const ledgers: ReadonlyMap<string, Ledger> =
    board.books.get(channelId)?.ledgers ?? new Map<string, Ledger>();
  const kept = board.recent.get(envelopeId);
  const release = kept?.channelId === channelId ? kept : undefined;
  const lines: LedgerLine[] = [];
  for (const recipientId of release?.recipients ?? ledgers.keys()) {
    const ledger = ledgers.get(recipientId);
    const entry = ledger === undefined ? undefined : findEntry(ledger, envelopeId);
    const line = release === undefined ? undefined : lineOf(release, recipientId);
    if (entry !== undefined) lines.push(outstandingLine(recipientId, entry, line));
    else if (release !== undefined) {
      // What is left of an ended channel may not have been read yet.
      const isUnread =
        ledger !== undefined && !ledger.loaded && !isSettled(ledger, release.position);
      const facts = isUnread ? { ...(line ?? noFacts()), state: "queued" as const } : line;
      lines.push(settledLine(recipientId, release.releasedAt, facts));
    }
  }
  return lines;
}
