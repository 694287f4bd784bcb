import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  membershipEventOf,
} from "@colloquy/protocol";
import type { AgentEntry } from "../registry/agent-table.js";
import { isAbsorbed } from "./addressed.js";
import { type Board, bookOf, inboxOf, writeRecord } from "./board.js";
import type { ReleasedEnvelope } from "./delivery.js";
import { judgeDispatch } from "./dispatch-gate.js";
import { type Body, noteUnreached, roomOf, sendEntry } from "./hand-over.js";
import { hasToWait, type Inbox, queueEntry } from "./inbox.js";
import { type ChannelBook, type Ledger, noteAbove, openLedger } from "./ledger.js";
import { lagSince } from "./measure.js";
import { noteMembership } from "./membership.js";
import { addOutstanding, applyInboxRule } from "./outstand.js";
import type { Outstanding } from "./outstanding.js";
import { pumpLater, pumpOnRoom } from "./pump.js";
import type { RecentRelease } from "./recent-releases.js";
import { isRemote, noProxy, reachRemote } from "./remote-link.js";
import { buryEntry, TTL_OVER } from "./settle.js";

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
    const releasedAt = board.context.clock.now();
    const envelopeId = envelope.envelope_id;
    const { depth } = envelope;
    const kept = { envelopeId, channelId: live.id, position, depth, recipients, releasedAt };
    const release = board.recent.add(kept);
    for (const recipientId of recipients) releaseTo(board, book, recipientId, admitted, release);
    if (board.untried.get(envelopeId) === undefined) {
      board.context.listeners.emit("onEnvelopeDispatched", envelope, release.failures);
    }
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
  release: RecentRelease,
): void {
  const { envelope, position } = admitted;
  const recipient = board.context.agents.get(recipientId);
  if (recipient === undefined) return;
  const refusal = judgeDispatch(board, envelope, recipient);
  if (refusal !== null) {
    noteRefusal(board, release, recipientId, refusal);
    const ledger = book.ledgers.get(recipientId);
    if (ledger !== undefined) noteAbove(ledger, position);
    return;
  }
  const inbox = inboxOf(board, recipientId);
  if (inbox.connection === null) reachRemote(board, inbox, recipient);
  const queuedAt = release.releasedAt;
  const facts = { envelope, position, queuedAt, retried: false };
  const added = addOutstanding(board, inbox, book, facts);
  const isKept = applyInboxRule(board, inbox, recipient, added);
  if (isKept) sendOrQueue(board, inbox, added.ledger, added.entry, admitted);
  if (isRemote(recipient)) noteRemote(board, inbox, recipient, added.entry, { envelope, release });
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
  if (entry.expiresAt <= entry.queuedAt) {
    buryEntry(board, inbox, ledger, entry, TTL_OVER);
    return;
  }
  if (connection === null) return;
  const mustWait =
    ledger.queued > 0 ||
    hasToWait(inbox, entry.rank) ||
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
  const line = board.recent.line(causation_id, sender_id);
  if (line !== null) line.answeredAt = board.context.clock.now();
}

function noteRefusal(
  board: Board,
  { envelopeId, releasedAt }: RecentRelease,
  recipientId: string,
  reason: string,
): void {
  const line = board.recent.line(envelopeId, recipientId);
  if (line === null) return;
  line.state = "refused";
  line.reason = reason;
  line.settledAt = releasedAt;
}

/** Who lives elsewhere is tried a little later, or cannot be reached at all. */
function noteRemote(
  board: Board,
  inbox: Inbox,
  recipient: AgentEntry,
  entry: Outstanding,
  { envelope, release }: { readonly envelope: Envelope; readonly release: RecentRelease },
): void {
  if (entry.state === "sent") board.untried.add(envelope, release, recipient.id);
  if (inbox.connection !== null) return;
  noteUnreached(board, envelope.envelope_id);
  board.context.listeners.emit("onDispatchFailed", envelope, recipient.id, noProxy(recipient));
}

function writeIdle(board: Board, book: ChannelBook, members: Iterable<string>): void {
  for (const agentId of members) {
    const ledger = openLedger(book, agentId);
    if (ledger.entries.length === 0 && ledger.written < book.known) writeRecord(board, ledger);
  }
}
