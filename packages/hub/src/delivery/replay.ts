import type { Board } from "./board.js";
import { type Inbox, isInScope, parkEntry, queueEntry, type ReplayScope } from "./inbox.js";
import type { Ledger } from "./ledger.js";
import { pump } from "./pump.js";
import { loadLedger } from "./rebuild.js";
import { retryKey } from "./settle.js";

/** Milliseconds until a store that could not be read is asked again. */
const READ_RETRY_MS = 1_000;

/** Asks for everything. */
const ALL: ReplayScope = { channelId: "", envelopeId: "" };

/**
 * Sends what an agent has outstanding, per channel in WAL order. Until all of it is queued, what
 * is released meanwhile waits behind it, so that there is neither gap nor overlap.
 *
 * @param since - envelope id; in its own channel only what lies above it is sent, other channels
 *   and an id that was never issued hide nothing
 */
export async function replayTo(board: Board, inbox: Inbox, since: string): Promise<void> {
  if (inbox.connection === null) return;
  const mark = {};
  inbox.replaying = mark;
  const unread = [...inbox.active.values()].filter((ledger) => !ledger.loaded);
  let scope = ALL;
  if (since !== "") scope = await scopeOf(board, since);
  if (unread.length > 0) await readAll(board, inbox, unread);
  // A rebind, or a newer replay on this connection, has taken over.
  if (inbox.replaying !== mark) return;
  queueWanted(board, inbox, scope);
  inbox.scope = scope;
  inbox.replaying = null;
  await pump(board, inbox);
}

/**
 * Channels that have ended are not in memory; what is left of them for this agent is read now, or a
 * little later when the store cannot be read.
 */
async function readAll(board: Board, inbox: Inbox, ledgers: readonly Ledger[]): Promise<void> {
  const inOrder = [...ledgers].sort((a, b) => (a.book.channelId < b.book.channelId ? -1 : 1));
  const failed: Ledger[] = [];
  for (const ledger of inOrder) {
    try {
      await loadLedger(board, ledger);
    } catch (error) {
      failed.push(ledger);
      const reason = error instanceof Error ? error.message : String(error);
      board.context.logger.warn(
        { channel_id: ledger.book.channelId, recipient_id: ledger.agentId, reason },
        "could not read what is outstanding; trying again",
      );
    }
  }
  if (failed.length > 0) readLater(board, inbox, failed);
}

/** What is read then goes out by itself. A newer connection asks anew. */
function readLater(board: Board, inbox: Inbox, ledgers: readonly Ledger[]): void {
  const { connection } = inbox;
  const { deadlines, clock } = board.context;
  deadlines.set(`delivery-read ${inbox.agentId}`, clock.now() + READ_RETRY_MS, () => {
    if (board.stopped || connection === null || inbox.connection !== connection) return;
    const unread = ledgers.filter((ledger) => !ledger.loaded);
    void readAll(board, inbox, unread);
  });
}

function queueWanted(board: Board, inbox: Inbox, scope: ReplayScope): void {
  for (const ledger of inbox.active.values()) {
    for (const entry of ledger.entries) {
      const wanted = entry.retried || isInScope(scope, ledger.book.channelId, entry.envelopeId);
      if (entry.state === "waiting" && wanted) {
        board.context.deadlines.clear(retryKey(ledger, entry));
      }
      if (wanted) queueEntry(inbox, ledger, entry);
      else if (entry.state === "queued") parkEntry(inbox, ledger, entry);
    }
  }
}

async function scopeOf(board: Board, since: string): Promise<ReplayScope> {
  const recent = board.recent.get(since);
  if (recent !== undefined) return { channelId: recent.channelId, envelopeId: since };
  try {
    const stored = await board.context.store.readEnvelope(since);
    return stored === null ? ALL : { channelId: stored.channel_id, envelopeId: since };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    board.context.logger.warn({ since, reason }, "could not look up where to replay from");
    return ALL;
  }
}
