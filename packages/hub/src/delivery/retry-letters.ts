import {
  type ChannelMetadata,
  type DeadLetter,
  type Envelope,
  formatTimestamp,
  isTerminalState,
  NotFoundError,
  ProtocolError,
  type StoredRecord,
} from "@colloquy/protocol";
import { quote } from "../core/quote.js";
import { type Board, bookOf, inboxOf } from "./board.js";
import type { KeptLetter } from "./dead-letters.js";
import { queueEntry } from "./inbox.js";
import { findEntry, type Ledger, openLedger } from "./ledger.js";
import { addOutstanding } from "./outstand.js";
import { pump } from "./pump.js";
import { readBody } from "./read-body.js";
import { reachRemote } from "./remote-link.js";
import { endEntry, TTL_OVER } from "./settle.js";

/** Why one is dropped that somebody wants gone. */
const ON_REQUEST = "dropped on request";

/**
 * Makes a dead letter outstanding again, with attempts that start anew. It goes out before everything
 * of its channel that is still queued for the recipient, and after what was sent already. Of one that
 * is being retried it only gives the letter. Resolves once that is durable.
 *
 * @throws NotFoundError when there is no such letter
 * @throws ProtocolError when its time to live is over, or the envelope is gone
 */
export async function retryLetter(
  board: Board,
  recipientId: string,
  envelopeId: string,
): Promise<DeadLetter> {
  const kept = requireLetter(board, recipientId, envelopeId);
  const before = kept.letter;
  if (before.state === "retrying") return { ...before };
  const { clock, committer, listeners } = board.context;
  if (before.expires_at !== null && before.expires_at <= formatTimestamp(clock.now())) {
    throw new ProtocolError(`the dead letter cannot be retried: ${TTL_OVER}`);
  }
  const letter: DeadLetter = { ...before, state: "retrying", retries: before.retries + 1 };
  kept.letter = letter;
  try {
    const envelope = await requireEnvelope(board, letter);
    const value = JSON.stringify(letter);
    await committer.stage({ records: [{ kind: "dead_letter", id: kept.id, value }] });
    while (!hasLedger(board, letter)) await readLedger(board, letter);
    listeners.emit("onDeadLetterRetried", { ...letter });
    putBack(board, letter, envelope);
    return { ...letter };
  } catch (error) {
    if (kept.letter === letter) board.letters.put(before);
    throw error;
  }
}

/**
 * Forgets a dead letter for good; one that is being retried is given up first. Resolves once that is
 * durable.
 *
 * @throws NotFoundError when there is no such letter
 */
export async function dropLetter(
  board: Board,
  recipientId: string,
  envelopeId: string,
): Promise<void> {
  const kept = requireLetter(board, recipientId, envelopeId);
  const record = { kind: "dead_letter" as const, id: kept.id, value: null };
  await board.context.committer.stage({ records: [record] });
  const { letter } = kept;
  board.letters.remove(kept, true);
  const ledger = board.books.get(letter.channel_id)?.ledgers.get(recipientId);
  const entry = ledger === undefined ? undefined : findEntry(ledger, envelopeId);
  if (ledger !== undefined && entry !== undefined) {
    endEntry(board, inboxOf(board, recipientId), ledger, entry, "dead", ON_REQUEST);
  }
  board.context.listeners.emit("onDeadLetterDropped", { ...letter }, ON_REQUEST);
}

/** Forgets all dead letters of an agent that has unregistered. */
export function dropLettersOf(board: Board, agentId: string): void {
  for (const kept of board.letters.ofRecipient(agentId)) {
    board.letters.remove(kept);
    const why = "the recipient has unregistered";
    board.context.listeners.emit("onDeadLetterDropped", { ...kept.letter }, why);
  }
}

/** Takes up the letters of a start, once every open channel is loaded: those that were being retried are outstanding. */
export async function restoreLetters(
  board: Board,
  records: readonly StoredRecord[],
): Promise<void> {
  for (const { letter } of board.letters.restore(records)) {
    try {
      const envelope = await requireEnvelope(board, letter);
      while (!hasLedger(board, letter)) await readLedger(board, letter);
      putBack(board, letter, envelope);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const { channel_id, envelope_id, recipient_id } = letter;
      const fields = { channel_id, envelope_id, recipient_id, reason };
      board.context.logger.warn(fields, "a retry was given up");
      board.letters.put({ ...letter, state: "dead", reason: `it cannot be read: ${reason}` });
    }
  }
}

function requireLetter(board: Board, recipientId: string, envelopeId: string): KeptLetter {
  const kept = board.letters.get(recipientId, envelopeId);
  if (kept !== undefined) return kept;
  throw new NotFoundError(
    `dead letter not found: envelope ${quote(envelopeId)} for agent ${quote(recipientId)}`,
  );
}

async function requireEnvelope(board: Board, { envelope_id }: DeadLetter): Promise<Envelope> {
  const stored = await board.context.store.readEnvelope(envelope_id);
  const envelope = stored === null ? null : readBody(stored);
  if (envelope !== null) return envelope;
  throw new ProtocolError(`envelope ${quote(envelope_id)} is not in the store any more`);
}

/**
 * True when it is in memory what the recipient has settled of the channel. No ledger there says that
 * a member has settled all; of one that has left it says nothing.
 */
function hasLedger(board: Board, { recipient_id, channel_id }: DeadLetter): boolean {
  const book = board.books.get(channel_id);
  if (book === undefined) return false;
  if (book.ledgers.has(recipient_id)) return true;
  const live = board.context.channels.peek(channel_id);
  return book.known > 0 && (live === undefined || live.participants.has(recipient_id));
}

function takesPart(
  { participants, invited = [] }: Pick<ChannelMetadata, "participants" | "invited">,
  agentId: string,
): boolean {
  return [...participants, ...invited].some(({ agent_id }) => agent_id === agentId);
}

/**
 * What was settled of an ended channel, or by one that has left it, is not in memory; without it a
 * record would say too little.
 */
async function readLedger(board: Board, letter: DeadLetter): Promise<void> {
  const { recipient_id, channel_id, position } = letter;
  const { channels, store } = board.context;
  const channel = await channels.metadata(channel_id);
  const [record] = await store.readDeliveries(recipient_id, channel_id);
  if (hasLedger(board, letter)) return;
  const book = bookOf(board, channel_id);
  book.ended = channel === null || isTerminalState(channel.state);
  book.forgotten = channels.peek(channel_id) === undefined;
  const ledger = openLedger(book, recipient_id);
  ledger.departed = channel !== null && !takesPart(channel, recipient_id);
  ledger.cursor = record?.cursor ?? "";
  ledger.floor = record?.floor ?? position;
  ledger.written = ledger.floor;
  ledger.above = [...(record?.above ?? [])];
}

function putBack(board: Board, letter: DeadLetter, envelope: Envelope): void {
  const { recipient_id, channel_id, envelope_id, position } = letter;
  const recipient = board.context.agents.get(recipient_id);
  if (recipient === undefined) return;
  if (board.letters.get(recipient_id, envelope_id)?.letter.state !== "retrying") return;
  const book = bookOf(board, channel_id);
  const known: Ledger | undefined = book.ledgers.get(recipient_id);
  if (known !== undefined && findEntry(known, envelope_id) !== undefined) return;
  const inbox = inboxOf(board, recipient_id);
  const { ledger, entry } = addOutstanding(board, inbox, book, {
    envelope,
    position,
    queuedAt: board.context.clock.now(),
    retried: true,
  });
  reachRemote(board, inbox, recipient);
  if (inbox.connection === null) return;
  queueEntry(inbox, ledger, entry);
  void pump(board, inbox);
}
