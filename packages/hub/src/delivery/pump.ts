import type { StoredEnvelope } from "@colloquy/protocol";
import type { Board } from "./board.js";
import { judgeDispatch } from "./dispatch-gate.js";
import { roomOf, sendEntry } from "./hand-over.js";
import { firstQueued, type Inbox, isOvertaken, nextQueued } from "./inbox.js";
import type { Ledger } from "./ledger.js";
import type { Outstanding } from "./outstanding.js";
import { readBody } from "./read-body.js";
import { buryEntry, refuseEntry, TTL_OVER } from "./settle.js";

/** Envelopes read at a time. */
const PAGE = 64;
/** Milliseconds until a connection without room is looked at again. */
const ROOM_RETRY_MS = 25;
/** Milliseconds until a store that could not be read is asked again. */
const READ_RETRY_MS = 1_000;

/**
 * Sends what is queued for an agent, read from the store, as far as there is room. One run per
 * agent is under way at a time; the promise is that of the run, and never rejects.
 */
export function pump(board: Board, inbox: Inbox): Promise<void> {
  if (inbox.pumping !== null) return inbox.pumping;
  let ended = false;
  const run = pumpAll(board, inbox, () => {
    ended = true;
    inbox.pumping = null;
  });
  if (!ended) inbox.pumping = run;
  return run;
}

/** Pumps after a while, for a connection that has no room now. */
export function pumpLater(board: Board, inbox: Inbox, delayMs: number = ROOM_RETRY_MS): void {
  if (inbox.waking) return;
  inbox.waking = true;
  const { clock, deadlines } = board.context;
  deadlines.set(`delivery-pump ${inbox.agentId}`, clock.now() + delayMs, () => {
    inbox.waking = false;
    void pump(board, inbox);
  });
}

/** Pumps when something was settled: at once if a page fits, so that no page is read for one envelope. */
export function pumpOnRoom(board: Board, inbox: Inbox): void {
  if (inbox.queued.size === 0) return;
  const { deliveryWindow } = board.context.limits;
  const room = deliveryWindow - inbox.inFlight;
  if (room <= 0 || inbox.connection === null) return;
  if (room >= Math.min(PAGE, Math.max(1, deliveryWindow >> 1))) void pump(board, inbox);
  else pumpLater(board, inbox);
}

function mayPump(board: Board, inbox: Inbox): boolean {
  return (
    !board.stopped &&
    inbox.connection !== null &&
    inbox.replaying === null &&
    inbox.queued.size > 0 &&
    inbox.inFlight < board.context.limits.deliveryWindow
  );
}

/** `onEnd` is called in the very instant in which the run stops looking, so that none is missed. */
async function pumpAll(board: Board, inbox: Inbox, onEnd: () => void): Promise<void> {
  try {
    while (mayPump(board, inbox)) {
      // What has no room is not read: many agents may share one slow connection.
      if (!hasRoom(board, inbox)) return;
      const ledger = nextQueued(inbox);
      const first = ledger === undefined ? undefined : firstQueued(ledger);
      if (ledger === undefined || first === undefined) return;
      const page = await readPage(board, inbox, ledger, first.position);
      if (page === "no room") continue;
      if (page === null) return pumpLater(board, inbox, READ_RETRY_MS);
      if (!mayPump(board, inbox)) return;
      // Meanwhile a replay may have asked for older ones, which go before this page.
      if ((firstQueued(ledger)?.position ?? first.position) < first.position) continue;
      const sent = sendPage(board, inbox, ledger, page);
      if (sent === "no room") return;
      if (sent === "overtaken") continue;
      buryMissing(board, inbox, ledger, first, page);
    }
  } finally {
    onEnd();
  }
}

/** False when the connection takes nothing now; it is looked at again later, unless it is lost. */
function hasRoom(board: Board, inbox: Inbox): boolean {
  const { connection } = inbox;
  if (connection === null) return false;
  const room = roomOf(board, connection);
  if (room === "full") pumpLater(board, inbox);
  return room === "open";
}

/**
 * Reads the next page in its turn, no further than what is queued; null when the store could not
 * be read, `no room` when the connection has filled up meanwhile.
 */
async function readPage(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  from: number,
): Promise<readonly StoredEnvelope[] | "no room" | null> {
  const { channelId } = ledger.book;
  try {
    return await board.reads.run(inbox.connection, async () => {
      if (inbox.connection === null || roomOf(board, inbox.connection) !== "open") return "no room";
      const limit = queuedSpan(ledger, from);
      const page = await board.context.store.readWal(channelId, { after: from - 1, limit });
      return page.envelopes;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    board.context.logger.warn(
      { channel_id: channelId, recipient_id: ledger.agentId, reason },
      "could not read what is to be delivered; trying again",
    );
    return null;
  }
}

/** Positions from one to the last that is queued within a page; at least 1. */
function queuedSpan({ entries }: Ledger, from: number): number {
  let last = from;
  for (const { position, state } of entries) {
    if (position >= from + PAGE) break;
    if (state === "queued") last = Math.max(last, position);
  }
  return last - from + 1;
}

/**
 * Sends the queued ones of a page: all of them, or until there is no room any more, or until
 * something more urgent waits in another channel.
 */
function sendPage(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  page: readonly StoredEnvelope[],
): "all" | "no room" | "overtaken" {
  for (const stored of page) {
    const entry = queuedAt(ledger, stored.position);
    if (entry === undefined) continue;
    if (!mayPump(board, inbox) || !hasRoom(board, inbox)) return "no room";
    if (isOvertaken(inbox, ledger, entry)) return "overtaken";
    sendStored(board, inbox, ledger, entry, stored);
  }
  return "all";
}

function sendStored(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
  stored: StoredEnvelope,
): void {
  const recipient = board.context.agents.get(inbox.agentId);
  const envelope = readBody(stored);
  if (recipient === undefined || envelope === null) {
    buryEntry(board, inbox, ledger, entry, "it cannot be read any more");
    return;
  }
  if (entry.expiresAt <= board.context.clock.now()) {
    buryEntry(board, inbox, ledger, entry, TTL_OVER);
    return;
  }
  const refusal = judgeDispatch(board, envelope, recipient);
  if (refusal === null) {
    sendEntry(board, inbox, ledger, entry, { envelope, text: stored.body });
    return;
  }
  refuseEntry(board, inbox, ledger, entry, refusal);
}

function queuedAt(ledger: Ledger, position: number): Outstanding | undefined {
  if (ledger.queued === 0) return undefined;
  const entry = ledger.entries.find((candidate) => candidate.position >= position);
  return entry?.position === position && entry.state === "queued" ? entry : undefined;
}

/** What the store does not hold would be asked for for ever. */
function buryMissing(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  first: Outstanding,
  page: readonly StoredEnvelope[],
): void {
  if (first.state !== "queued" || !ledger.entries.includes(first)) return;
  if (page.some((stored) => stored.position === first.position)) return;
  board.context.logger.error(
    {
      channel_id: ledger.book.channelId,
      envelope_id: first.envelopeId,
      position: first.position,
    },
    "an envelope that is to be delivered is not in the store",
  );
  buryEntry(board, inbox, ledger, first, "it is not in the store");
}
