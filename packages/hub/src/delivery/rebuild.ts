import { type DeliveryRecord, isTerminalState, type StoredEnvelope } from "@colloquy/protocol";
import { isAddressed } from "./addressed.js";
import { type Board, bookOf, dropSettled, inboxOf, writeRecord } from "./board.js";
import type { DeliveredChannel } from "./delivery.js";
import { judgeDispatch } from "./dispatch-gate.js";
import { type ChannelBook, isSettled, type Ledger, noteAbove, openLedger } from "./ledger.js";
import { addOutstanding, queueIfWanted } from "./outstand.js";
import { pump, readBody } from "./pump.js";

/** Envelopes read at a time when one agent's part of a channel is rebuilt. */
const PAGE = 256;

/** Takes up the records of a start. What they leave open is read when its channel is loaded, or on a replay. */
export function restoreRecords(board: Board, records: readonly DeliveryRecord[]): void {
  for (const record of records) {
    if (record.settled) continue;
    const ledger = openLedger(bookOf(board, record.channel_id), record.agent_id);
    ledger.cursor = record.cursor;
    ledger.floor = record.floor;
    ledger.written = record.floor;
    ledger.above = [...record.above];
    ledger.loaded = false;
    inboxOf(board, record.agent_id).active.set(record.channel_id, ledger);
  }
}

/** Lowest position of a channel that some member has not settled; `head + 1` when there is none. */
export function oldestUnsettled(board: Board, live: DeliveredChannel): number {
  const book = board.books.get(live.id);
  const head = live.head.position;
  if (book !== undefined && book.known > 0) return Math.min(book.known, head) + 1;
  let floor = head;
  for (const agentId of live.participants) {
    floor = Math.min(floor, book?.ledgers.get(agentId)?.floor ?? 0);
  }
  return floor + 1;
}

/**
 * Rebuilds what the members of a channel have outstanding. Repeating it is harmless: what this
 * process has accounted for already is passed over.
 *
 * @param envelopes - from `oldestUnsettled` on, oldest first
 */
export function loadChannel(
  board: Board,
  live: DeliveredChannel,
  envelopes: readonly StoredEnvelope[],
): void {
  const book = bookOf(board, live.id);
  book.ended = isTerminalState(live.metadata.state);
  const fresh = envelopes.filter((stored) => stored.position > book.known);
  const members = membersToRebuild(book, live.participants);
  book.known = Math.max(book.known, fresh.at(-1)?.position ?? live.committed);
  for (const stored of fresh) rebuildFrom(board, members, live.id, stored);
  for (const ledger of book.ledgers.values()) markLoaded(board, ledger);
}

/** Before a channel's first load, those whose part a replay has read already are complete. */
function membersToRebuild(book: ChannelBook, participants: ReadonlySet<string>): readonly string[] {
  const members = [...participants];
  if (book.known > 0) return members;
  return members.filter((agentId) => book.ledgers.get(agentId)?.loaded !== true);
}

/** Rebuilds one agent's part of a channel that is not in memory. */
export async function loadLedger(board: Board, ledger: Ledger): Promise<void> {
  const { channelId } = ledger.book;
  const channel = await board.context.channels.metadata(channelId);
  let after: number | null = ledger.floor;
  const found: StoredEnvelope[] = [];
  while (after !== null && !ledger.loaded) {
    const page: { envelopes: readonly StoredEnvelope[]; next: number | null } =
      await board.context.store.readWal(channelId, { after, limit: PAGE });
    found.push(...page.envelopes);
    after = page.next;
  }
  if (ledger.loaded) return;
  ledger.book.ended = channel === null || isTerminalState(channel.state);
  ledger.book.forgotten = board.context.channels.peek(channelId) === undefined;
  for (const stored of found) rebuildFrom(board, [ledger.agentId], channelId, stored);
  markLoaded(board, ledger);
}

function rebuildFrom(
  board: Board,
  members: Iterable<string>,
  channelId: string,
  stored: StoredEnvelope,
): void {
  const envelope = readBody(stored);
  if (envelope === null) return;
  const book = bookOf(board, channelId);
  for (const agentId of members) {
    if (!isAddressed(envelope, agentId)) continue;
    const known = book.ledgers.get(agentId);
    if (known !== undefined && isSettled(known, stored.position)) continue;
    const recipient = board.context.agents.get(agentId);
    if (recipient === undefined) continue;
    if (judgeDispatch(board, envelope, recipient) !== null) {
      if (known !== undefined) noteAbove(known, stored.position);
      continue;
    }
    const inbox = inboxOf(board, agentId);
    const { ledger, entry } = addOutstanding(board, inbox, book, envelope, stored.position);
    if (inbox.connection === null) continue;
    queueIfWanted(inbox, ledger, entry);
    void pump(board, inbox);
  }
}

function markLoaded(board: Board, ledger: Ledger): void {
  const wasLoaded = ledger.loaded;
  ledger.loaded = true;
  if (ledger.entries.length > 0) return;
  board.inboxes.get(ledger.agentId)?.active.delete(ledger.book.channelId);
  if (wasLoaded || !ledger.book.ended) return;
  writeRecord(board, ledger);
  dropSettled(board, ledger.book);
}
