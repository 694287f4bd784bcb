import { type DeliveryRecord, isTerminalState, parseTimestamp } from "@colloquy/protocol";
import { readPages } from "../wal/read-pages.js";
import { type Board, bookOf, dropSettled, inboxOf, writeRecord } from "./board.js";
import type { DeliveredChannel } from "./delivery.js";
import { tellIdle } from "./idle.js";
import {
  type ChannelBook,
  findEntry,
  isSettled,
  type Ledger,
  noteAbove,
  openLedger,
} from "./ledger.js";
import { keepAddressed } from "./membership.js";
import { addOutstanding, queueIfWanted } from "./outstand.js";
import { pump } from "./pump.js";
import type { Unsettled } from "./unsettled.js";
import { weighPage } from "./weigh.js";

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

/** Who may have something outstanding of a channel: members, invitees, and those who are gone with something left. */
export function recipientsOf(
  board: Board,
  { id, participants, metadata }: Pick<DeliveredChannel, "id" | "participants" | "metadata">,
): ReadonlySet<string> {
  const ledgers = board.books.get(id)?.ledgers;
  const isAll =
    ledgers === undefined || [...ledgers.keys()].every((agentId) => participants.has(agentId));
  if (isAll && metadata.invited === undefined) return participants;
  const invited = (metadata.invited ?? []).map(({ agent_id }) => agent_id);
  return new Set([...participants, ...invited, ...(ledgers?.keys() ?? [])]);
}

/** Lowest position of a channel that some member has not settled; `head + 1` when there is none. */
export function oldestUnsettled(board: Board, live: DeliveredChannel): number {
  const book = board.books.get(live.id);
  const head = live.head.position;
  if (book !== undefined && book.known > 0) return Math.min(book.known, head) + 1;
  let floor = head;
  for (const agentId of recipientsOf(board, live)) {
    floor = Math.min(floor, book?.ledgers.get(agentId)?.floor ?? 0);
  }
  return floor + 1;
}

/**
 * Rebuilds what the members of a channel have outstanding. Repeating it is harmless: what this
 * process has accounted for already is passed over.
 *
 * @param envelopes - from `oldestUnsettled` on, oldest first, weighed for all members
 */
export function loadChannel(
  board: Board,
  live: DeliveredChannel,
  envelopes: readonly Unsettled[],
): void {
  const book = bookOf(board, live.id);
  book.ended = isTerminalState(live.metadata.state);
  const meant = keepAddressed(envelopes, live.addressed);
  const fresh = meant.filter(({ position }) => position > book.known);
  const all = recipientsOf(board, live);
  const members = membersToRebuild(book, all);
  book.known = Math.max(book.known, fresh.at(-1)?.position ?? live.committed);
  for (const unsettled of fresh) rebuildFrom(board, members, live.id, unsettled);
  const invited = new Set(live.metadata.invited?.map(({ agent_id }) => agent_id));
  for (const ledger of [...book.ledgers.values()]) {
    ledger.departed = !live.participants.has(ledger.agentId) && !invited.has(ledger.agentId);
    markLoaded(board, ledger);
  }
  tellIdle(board, live.id);
}

/** Before a channel's first load, those whose part a replay has read already are complete. */
function membersToRebuild(
  book: ChannelBook,
  participants: ReadonlySet<string>,
): ReadonlySet<string> {
  if (book.known > 0) return participants;
  return new Set([...participants].filter((id) => book.ledgers.get(id)?.loaded !== true));
}

/** Rebuilds one agent's part of a channel that is not in memory. */
export async function loadLedger(board: Board, ledger: Ledger): Promise<void> {
  const { channelId } = ledger.book;
  const channel = await board.context.channels.metadata(channelId);
  const found: Unsettled[] = [];
  for await (const page of readPages(board.context.store, channelId, { after: ledger.floor })) {
    if (ledger.loaded) return;
    found.push(...weighPage(board, [ledger.agentId], page));
  }
  if (ledger.loaded) return;
  ledger.book.ended = channel === null || isTerminalState(channel.state);
  ledger.book.forgotten = board.context.channels.peek(channelId) === undefined;
  const own = new Set([ledger.agentId]);
  const shown = channel?.participants.filter(({ hidden }) => hidden !== true) ?? [];
  const addressed = new Set(shown.map(({ agent_id }) => agent_id));
  for (const unsettled of keepAddressed(found, addressed))
    rebuildFrom(board, own, channelId, unsettled);
  markLoaded(board, ledger);
}

function rebuildFrom(
  board: Board,
  members: ReadonlySet<string>,
  channelId: string,
  { position, envelope, recipients, refused }: Unsettled,
): void {
  if (envelope === null) return;
  const book = bookOf(board, channelId);
  const isOpen = (agentId: string): boolean => {
    const known = book.ledgers.get(agentId);
    return members.has(agentId) && (known === undefined || !isSettled(known, position));
  };
  for (const agentId of refused.filter(isOpen)) {
    const known = book.ledgers.get(agentId);
    if (known !== undefined) noteAbove(known, position);
  }
  for (const agentId of recipients.filter(isOpen)) {
    if (board.context.agents.get(agentId) === undefined) continue;
    const inbox = inboxOf(board, agentId);
    const known = book.ledgers.get(agentId);
    // It may be there as a dead letter that somebody retries.
    if (known !== undefined && findEntry(known, envelope.envelope_id) !== undefined) continue;
    const queuedAt = parseTimestamp(envelope.created_at) ?? 0;
    const facts = { envelope, position, queuedAt, retried: false };
    const { ledger, entry } = addOutstanding(board, inbox, book, facts);
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
  if (wasLoaded || !(ledger.book.ended || ledger.departed)) return;
  writeRecord(board, ledger);
  if (ledger.departed) ledger.book.ledgers.delete(ledger.agentId);
  dropSettled(board, ledger.book);
}
