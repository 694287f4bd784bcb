import { logFieldsOf } from "@colloquy/protocol";
import { deliveryLag, turnsTakenUpBy } from "./backlog.js";
import { bindAgent, unbindAgent, unbindConnection } from "./bindings.js";
import { type Board, createBoard, dropSettled, inboxOf, writeRecord } from "./board.js";
import type { Delivery } from "./delivery.js";
import type { DeliveryContext } from "./delivery-context.js";
import { emptyInbox } from "./empty-inbox.js";
import { outstandingAt, outstandingIn, whenIdle } from "./idle.js";
import { type Ledger, openLedger, recordOf } from "./ledger.js";
import { loadChannel, oldestUnsettled, recipientsOf, restoreRecords } from "./rebuild.js";
import { applyReceipt, noteFailure } from "./receipts.js";
import { recordsAtEnd } from "./records-at-end.js";
import { releaseEnvelope } from "./release.js";
import { closeRemoteProxies, registerRemoteProxy, unregisterRemoteProxy } from "./remotes.js";
import { replayTo } from "./replay.js";
import { dropLetter, dropLettersOf, restoreLetters, retryLetter } from "./retry-letters.js";
import { settleEntry } from "./settle.js";
import { readShares } from "./show-inbox.js";
import { showLedger } from "./show-ledger.js";
import { oldestOutstanding, standingOf } from "./standing.js";
import { weighPage } from "./weigh.js";

/**
 * Makes the delivery of one hub. Everything but what is outstanding is derived from the store, so
 * an idle channel costs a few hundred bytes and an offline agent nothing but its entries.
 */
export function createDelivery(context: DeliveryContext): Delivery {
  const board = createBoard(context);
  return {
    bind: (agentId, connection) => bindAgent(board, agentId, connection),
    unbind: (agentId) => unbindAgent(board, agentId),
    unbindAll: (connection) => unbindConnection(board, connection),
    connectionOf: (agentId) => board.inboxes.get(agentId)?.connection ?? null,
    agentsOf: (connection) => [...(board.bound.get(connection) ?? [])],

    release(admitted) {
      try {
        releaseEnvelope(board, admitted);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const { envelope, position } = admitted;
        const fields = { ...logFieldsOf(envelope), position, reason };
        context.logger.error(fields, "releasing an envelope failed");
      }
    },
    withCork: (run) => board.corks.during(run),
    receipt: (receipt) => applyReceipt(board, receipt),
    async replay(agentId, since) {
      const inbox = board.inboxes.get(agentId);
      if (inbox !== undefined) await replayTo(board, inbox, since);
    },

    pending(agentId) {
      const inbox = board.inboxes.get(agentId);
      return inbox === undefined ? 0 : inbox.pending + inbox.announced;
    },
    announce(agentIds) {
      for (const agentId of agentIds) inboxOf(board, agentId).announced += 1;
    },
    retract(agentIds) {
      for (const agentId of agentIds) {
        // The inbox of an agent that has unregistered is gone.
        const inbox = board.inboxes.get(agentId);
        if (inbox !== undefined && inbox.announced > 0) inbox.announced -= 1;
      }
    },
    cursor: (agentId, channelId) => board.books.get(channelId)?.ledgers.get(agentId)?.cursor ?? "",
    outstandingAt: (agentId, channelId, envelopeId) =>
      outstandingAt(board, agentId, channelId, envelopeId),
    outstandingIn: (channelId) => outstandingIn(board, channelId),
    standingOf: (agentId, channelId, envelopeId) =>
      standingOf(board, agentId, channelId, envelopeId),
    oldestOutstanding: (channelId) => oldestOutstanding(board, channelId),
    whenIdle: (channelId, run) => whenIdle(board, channelId, run),
    ledger: (channelId, envelopeId) => showLedger(board, channelId, envelopeId),
    turnFailed: (failure) => noteFailure(board, failure),
    dispatchFailures: (envelopeId) => board.recent.get(envelopeId)?.failures ?? 0,

    isDispatched: (envelopeId) => board.untried.get(envelopeId) === undefined,

    listDeadLetters: (filter) => board.letters.list(filter),
    retryDeadLetter: (recipientId, envelopeId) => retryLetter(board, recipientId, envelopeId),
    dropDeadLetter: (recipientId, envelopeId) => dropLetter(board, recipientId, envelopeId),

    registerRemoteProxy: (proxy) => registerRemoteProxy(board, proxy),
    unregisterRemoteProxy: (scheme) => unregisterRemoteProxy(board, scheme),
    remoteProxyFor: (scheme) => board.remotes.get(scheme),
    closeRemoteProxies: () => closeRemoteProxies(board),
    inbox: (agentId) => readShares(board, agentId),
    empty: (agentId, what) => emptyInbox(board, agentId, what),
    recent: (envelopeId) => board.recent.get(envelopeId),

    restore: (records) => restoreRecords(board, records),
    restoreLedger: (records) => board.recent.restore(board.storedLedger.restore(records)),
    restoreDeadLetters: (records) => restoreLetters(board, records),
    follows: (channelId) => (board.books.get(channelId)?.known ?? 0) > 0,
    recordsAtEnd: (channel) => recordsAtEnd(board, channel),
    oldestUnsettled: (channel) => oldestUnsettled(board, channel),
    weigh: (channel, page) => weighPage(board, recipientsOf(board, channel), page),
    load: (channel, envelopes) => loadChannel(board, channel, envelopes),
    forget: (channelId) => forgetChannel(board, channelId),
    drop: (agentId) => dropAgent(board, agentId),

    lag: () => deliveryLag(board),
    turnsTakenUpBy: (at) => turnsTakenUpBy(board, at),
    get totals() {
      return { pending: board.pending, deepest: deepest(board) };
    },
    stop: () => stopBoard(board),
  };
}

/** What is outstanding does not depend on the channel's memory; only an ended channel's rest is let go. */
function forgetChannel(board: Board, channelId: string): void {
  const book = board.books.get(channelId);
  if (book?.ended !== true) return;
  book.forgotten = true;
  dropSettled(board, book);
}

function dropAgent(board: Board, agentId: string): void {
  unbindAgent(board, agentId);
  const inbox = board.inboxes.get(agentId);
  for (const ledger of [...(inbox?.active.values() ?? [])]) {
    // What was never read of an ended channel is nobody's business any more.
    if (!ledger.loaded) writeGone(board, ledger);
    ledger.loaded = true;
    for (const entry of [...ledger.entries]) {
      if (inbox !== undefined) settleEntry(board, inbox, ledger, entry);
    }
  }
  dropLettersOf(board, agentId);
  board.inboxes.delete(agentId);
  for (const book of board.books.values()) book.ledgers.delete(agentId);
}

function writeGone(board: Board, ledger: Ledger): void {
  const record = { ...recordOf(ledger), settled: true };
  board.context.committer.lazily({ deliveries: [record] });
}

function deepest(board: Board): number | null {
  let most: number | null = null;
  for (const { pending } of board.inboxes.values()) most = Math.max(most ?? 0, pending);
  return most;
}

/** Brings the stored floors up to date, so that the next start reads as little as it can. */
function stopBoard(board: Board): void {
  if (board.stopped) return;
  board.stopped = true;
  board.untried.forgetAll();
  board.storedLedger.stop();
  for (const book of board.books.values()) {
    const members = board.context.channels.peek(book.channelId)?.participants ?? [];
    for (const agentId of members) openLedger(book, agentId);
    for (const ledger of book.ledgers.values()) {
      if (ledger.entries.length === 0 && ledger.written < book.known) writeRecord(board, ledger);
    }
  }
}
