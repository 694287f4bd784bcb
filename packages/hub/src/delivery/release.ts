import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  membershipEventOf,
} from "@colloquy/protocol";
import { isAbsorbed } from "./addressed.js";
import { type Board, bookOf, inboxOf, writeRecord } from "./board.js";
import type { ReleasedEnvelope } from "./delivery.js";
import { judgeDispatch } from "./dispatch-gate.js";
import { type Body, roomOf, sendEntry } from "./hand-over.js";
import { type Inbox, queueEntry } from "./inbox.js";
import { type ChannelBook, type Ledger, noteAbove, openLedger } from "./ledger.js";
import { lagSince } from "./measure.js";
import { noteMembership } from "./membership.js";
import { addOutstanding, applyInboxRule } from "./outstand.js";
import type { Outstanding } from "./outstanding.js";
import { pumpLater, pumpOnRoom } from "./pump.js";

/** Positions between two records of members that have nothing to settle, so that a start reads little. */
const IDLE_RECORD_EVERY = 64;

/** Records and sends one committed envelope. */
export function releaseEnvelope(board: Board, admitted: ReleasedEnvelope): void {
  const { live, envelope, position, recipients } = admitted;
  const book = bookOf(board, live.id);
  book.known = Math.max(book.known, position);
  const last =
    envelope.event_type === EV_CHANNEL_CLOSED || envelope.event_type === EV_CHANNEL_EXPIRED;
  if (last) book.ended = true;
  noteAnswer(board, envelope);
  if (!isAbsorbed(envelope.event_type)) {
    board.recent.add(envelope.envelope_id, live.id, recipients);
    for (const recipientId of recipients) releaseTo(board, book, recipientId, admitted);
  }
  const change = membershipEventOf(envelope);
  if (change !== null) noteMembership(board, book, change);
  if (last || position % IDLE_RECORD_EVERY === 0) writeIdle(board, book, live.participants);
}

function releaseTo(
  board: Board,
  book: ChannelBook,
  recipientId: string,
  admitted: ReleasedEnvelope,
): void {
  const { envelope, position } = admitted;
  const recipient = board.context.agents.get(recipientId);
  if (recipient === undefined) return;
  const refusal = judgeDispatch(board, envelope, recipient);
  if (refusal !== null) {
    board.recent.note(envelope.envelope_id, recipientId, refusal);
    const ledger = book.ledgers.get(recipientId);
    if (ledger !== undefined) noteAbove(ledger, position);
    return;
  }
  const inbox = inboxOf(board, recipientId);
  const added = addOutstanding(board, inbox, book, envelope, position);
  const isKept = applyInboxRule(board, inbox, recipient, added);
  if (isKept) sendOrQueue(board, inbox, added.ledger, added.entry, admitted);
  // Giving an older one up may have made room.
  pumpOnRoom(board, inbox);
}

function sendOrQueue(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
  body: Body,
): void {
  const { connection } = inbox;
  if (connection === null) return;
  const mustWait =
    ledger.queued > 0 ||
    inbox.replaying !== null ||
    inbox.inFlight >= board.context.limits.deliveryWindow;
  const room = mustWait ? "full" : roomOf(board, connection);
  if (room === "lost") return;
  if (room === "open") {
    sendEntry(board, inbox, ledger, entry, body);
    return;
  }
  queueEntry(inbox, ledger, entry);
  if (!mustWait) pumpLater(board, inbox);
}

/** An answer is shown in the ledger of what it answers. */
function noteAnswer(board: Board, { causation_id, sender_id }: Envelope): void {
  if (causation_id === null) return;
  board.context.meters?.answered(lagSince(board, causation_id));
  const outcome = board.recent.get(causation_id)?.outcomes?.get(sender_id);
  board.recent.note(causation_id, sender_id, {
    state: "answered",
    attempt: outcome?.attempt ?? 1,
    reason: "",
  });
}

function writeIdle(board: Board, book: ChannelBook, members: Iterable<string>): void {
  for (const agentId of members) {
    const ledger = openLedger(book, agentId);
    if (ledger.entries.length === 0 && ledger.written < book.known) writeRecord(board, ledger);
  }
}
