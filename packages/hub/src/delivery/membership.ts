import type { MembershipEvent } from "@colloquy/protocol";
import { type Board, writeRecord } from "./board.js";
import type { ChannelBook } from "./ledger.js";
import type { Unsettled } from "./unsettled.js";

/** Keeps a ledger for as long as its agent takes part, or has something left of when it did. */
export function noteMembership(board: Board, book: ChannelBook, event: MembershipEvent): void {
  const { agent_id: agentId, kind } = event;
  const ledger = book.ledgers.get(agentId);
  if (ledger === undefined || kind === "hidden" || kind === "shown") return;
  ledger.departed = kind === "left" || kind === "removed" || kind === "lapsed";
  if (!ledger.departed || ledger.entries.length > 0) return;
  writeRecord(board, ledger);
  book.ledgers.delete(agentId);
}

/**
 * Takes out of a stretch of a WAL those to whom an envelope for everybody was not addressed, because
 * they took no part then or were hidden.
 *
 * @param stretch - oldest first, up to the end of the WAL
 * @param addressed - who is spoken to at its end
 */
export function keepAddressed(
  stretch: readonly Unsettled[],
  addressed: ReadonlySet<string>,
): readonly Unsettled[] {
  const changes = stretch.filter(({ change }) => change !== null);
  const now = new Map<string, boolean>();
  for (const { change } of changes) {
    if (change !== null && !now.has(change.agentId)) now.set(change.agentId, change.before);
  }
  return stretch.map((unsettled) => {
    const { change, recipients, refused } = unsettled;
    if (change !== null) now.set(change.agentId, change.after);
    if (unsettled.envelope?.audience !== null) return unsettled;
    const isMeant = (agentId: string): boolean => now.get(agentId) ?? addressed.has(agentId);
    if (recipients.every(isMeant) && refused.every(isMeant)) return unsettled;
    return {
      ...unsettled,
      recipients: recipients.filter(isMeant),
      refused: refused.filter(isMeant),
    };
  });
}
