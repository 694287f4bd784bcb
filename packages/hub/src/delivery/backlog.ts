import type { DeliveryLag, RunningTurn } from "./backlog-facts.js";
import type { Board } from "./board.js";
import { firstQueued } from "./inbox.js";
import { lineOf } from "./recent-releases.js";

/**
 * The queued envelope that has waited longest for an agent that is connected; null for none. What was
 * queued while the agent was away waits from its return on, and what it gave back from then on.
 */
export function deliveryLag(board: Board): DeliveryLag | null {
  let worst: DeliveryLag | null = null;
  for (const inbox of board.inboxes.values()) {
    if (inbox.connection === null) continue;
    for (const ledger of inbox.queued) {
      const entry = firstQueued(ledger);
      if (entry === undefined) continue;
      const since = Math.max(entry.queuedAt, inbox.boundAt, entry.failedAt);
      if (worst !== null && worst.since <= since) continue;
      const { channelId } = ledger.book;
      worst = { recipientId: inbox.agentId, channelId, envelopeId: entry.envelopeId, since };
    }
  }
  return worst;
}

/** Turns that were taken up at an instant or before and still run, the oldest first. */
export function turnsTakenUpBy(board: Board, at: number): RunningTurn[] {
  const found: RunningTurn[] = [];
  for (const { agentId, active } of board.inboxes.values()) {
    for (const { entries, book } of active.values()) {
      for (const { state, takenUpAt: since, failedAt, envelopeId } of entries) {
        if (state !== "sent" || since === 0 || since > at || failedAt > 0) continue;
        const release = board.recent.get(envelopeId);
        const line = release === undefined ? undefined : lineOf(release, agentId);
        if ((line?.answeredAt ?? 0) > 0) continue;
        found.push({ agentId, channelId: book.channelId, envelopeId, since });
      }
    }
  }
  return found.sort((a, b) => a.since - b.since);
}
