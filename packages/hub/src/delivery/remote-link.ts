import {
  type Delivery,
  type Envelope,
  effectiveKind,
  type LinkPeer,
  type Passport,
  type RemoteProxy,
  redactText,
} from "@colloquy/protocol";
import type { AgentEntry } from "../registry/agent-table.js";
import { bindAgent } from "./bindings.js";
import type { Board } from "./board.js";
import type { BoundConnection } from "./delivery.js";
import { noteUnreached } from "./hand-over.js";
import type { Inbox } from "./inbox.js";
import { findEntry, type Ledger } from "./ledger.js";
import { type Outstanding, redeliveryDelay } from "./outstanding.js";
import { applyReceipt } from "./receipts.js";
import { replayTo } from "./replay.js";
import { buryEntry, TTL_OVER } from "./settle.js";

/** True for a participant who lives on another system. */
export function isRemote({ passport }: AgentEntry): boolean {
  return effectiveKind(passport) === "remote_agent";
}

/** Why nothing can be sent to a remote participant. */
export function noProxy({ passport }: AgentEntry): string {
  return `no remote proxy for scheme '${passport.auth.scheme}'`;
}

/**
 * Ties a remote participant that is bound to nothing to the proxy of its scheme, as an agent is tied
 * to its connection: what is outstanding for it goes out.
 */
export function reachRemote(board: Board, inbox: Inbox, recipient: AgentEntry): void {
  if (inbox.connection !== null || board.stopped || !isRemote(recipient)) return;
  const proxy = board.remotes.get(recipient.passport.auth.scheme);
  if (proxy === null) return;
  bindAgent(board, inbox.agentId, createRemoteLink(board, inbox, proxy));
  if (inbox.active.size > 0) void replayTo(board, inbox, "");
}

interface Lane {
  readonly waiting: Delivery[];
}

const NOTHING = (): void => undefined;

/**
 * Makes the connection of one remote participant. Per channel one envelope at a time is dispatched;
 * one that fails is dispatched again after growing delays before any later one of its channel, until
 * it is taken or given up.
 */
function createRemoteLink(board: Board, inbox: Inbox, proxy: RemoteProxy): BoundConnection {
  const lanes = new Map<string, Lane>();
  const endpointId = `remote:${proxy.scheme}:${inbox.agentId}`;
  let waitingBytes = 0;

  const runLane = async (channelId: string, lane: Lane): Promise<void> => {
    for (let next = lane.waiting[0]; next !== undefined; next = lane.waiting[0]) {
      await carry({ board, inbox, link, proxy }, next);
      lane.waiting.shift();
      waitingBytes -= next.text.length;
    }
    lanes.delete(channelId);
  };
  const peer: LinkPeer = {
    profile: "colloquy.v1",
    loopback: true,
    label: `remote ${proxy.scheme}`,
    // What waits here is bounded as it is for a socket, and never taken for a slow reader.
    get bufferedBytes() {
      return Math.min(waitingBytes, board.context.limits.maxBufferedBytes);
    },
    send: NOTHING,
    notify(delivery) {
      const { channel_id } = delivery.envelope;
      waitingBytes += delivery.text.length;
      const known = lanes.get(channel_id);
      if (known !== undefined) {
        known.waiting.push(delivery);
        return;
      }
      const lane = { waiting: [delivery] };
      lanes.set(channel_id, lane);
      void runLane(channel_id, lane);
    },
    close: NOTHING,
    cork: NOTHING,
    uncork: NOTHING,
  };
  const connection = { endpointId, receive: NOTHING, receiveBad: NOTHING, closed: NOTHING };
  const link: BoundConnection = { endpointId, peer, connection };
  return link;
}

interface Carrier {
  readonly board: Board;
  readonly inbox: Inbox;
  readonly link: BoundConnection;
  readonly proxy: RemoteProxy;
}

/** Dispatches one envelope until it is taken or given up, or the link is not the participant's any more. */
async function carry(carrier: Carrier, delivery: Delivery): Promise<void> {
  const { board, inbox, link } = carrier;
  const { envelope } = delivery;
  const { envelope_id, channel_id } = envelope;
  // The release that brought it is still under way.
  await Promise.resolve();
  for (let isFirst = true; ; isFirst = false) {
    const found = findSent(carrier, envelope);
    const passport = board.context.agents.get(inbox.agentId)?.passport;
    if (found === null || passport === undefined) {
      board.untried.tried(envelope_id, inbox.agentId);
      return;
    }
    const { ledger, entry } = found;
    if (entry.expiresAt <= board.context.clock.now()) {
      buryEntry(board, inbox, ledger, entry, TTL_OVER);
      board.untried.tried(envelope_id, inbox.agentId);
      return;
    }
    if (!isFirst) beginAgain(board, entry);
    const fault = await dispatch(carrier, envelope, { passport, attempt: entry.attempt });
    if (fault !== null) {
      noteUnreached(board, envelope_id);
      board.context.listeners.emit("onDispatchFailed", envelope, inbox.agentId, fault);
    }
    board.untried.tried(envelope_id, inbox.agentId);
    if (inbox.connection !== link) return;
    if (fault === null) {
      const recipient_id = inbox.agentId;
      applyReceipt(board, { recipient_id, channel_id, envelope_id, status: "ack", reason: "" });
      return;
    }
    const delayMs = fail(carrier, { ledger, entry }, fault);
    if (delayMs === null) return;
    await pause(board, `remote-retry ${inbox.agentId} ${envelope_id}`, delayMs);
  }
}

/** The entry of an envelope that this link has been given and that nobody has settled since. */
function findSent(
  { board, inbox, link }: Carrier,
  { channel_id, envelope_id }: Envelope,
): { readonly ledger: Ledger; readonly entry: Outstanding } | null {
  if (board.stopped || inbox.connection !== link) return null;
  const ledger = board.books.get(channel_id)?.ledgers.get(inbox.agentId);
  const entry = ledger === undefined ? undefined : findEntry(ledger, envelope_id);
  return ledger !== undefined && entry?.state === "sent" ? { ledger, entry } : null;
}

function beginAgain(board: Board, entry: Outstanding): void {
  entry.attempt += 1;
  entry.sentAt = board.context.clock.now();
  entry.failedAt = 0;
}

/** Hands it to the proxy; gives null when it was taken, else why not. */
function dispatch(
  { board, inbox, proxy }: Carrier,
  envelope: Envelope,
  { passport, attempt }: { readonly passport: Passport; readonly attempt: number },
): Promise<string | null> {
  const { clock, deadlines, limits } = board.context;
  const key = `remote-dispatch ${inbox.agentId} ${envelope.envelope_id} ${attempt}`;
  const dispatched = (async () => proxy.dispatch(envelope, passport))();
  return new Promise<string | null>((resolve) => {
    deadlines.set(key, clock.now() + limits.remoteDispatchTimeoutMs, () => {
      resolve(`the remote proxy did not take it within ${limits.remoteDispatchTimeoutMs} ms`);
    });
    dispatched.then(
      () => resolve(null),
      (error: unknown) => resolve(faultOf(error)),
    );
  }).finally(() => deadlines.clear(key));
}

/** Errors of clients name addresses with all that is in them; this one is kept, audited and traced. */
function faultOf(error: unknown): string {
  return redactText(error instanceof Error ? error.message : String(error));
}

/** Notes a failure; gives the wait before the next attempt, or null when it was the last. */
function fail(
  { board, inbox }: Carrier,
  { ledger, entry }: { readonly ledger: Ledger; readonly entry: Outstanding },
  fault: string,
): number | null {
  const { limits, clock } = board.context;
  if (!ledger.entries.includes(entry)) return null;
  entry.failedAt = clock.now();
  entry.reason = fault;
  entry.refusals += 1;
  if (entry.refusals >= limits.maxDeliveryAttempts) {
    buryEntry(board, inbox, ledger, entry, `given up after ${entry.refusals}: ${fault}`);
    return null;
  }
  return redeliveryDelay(limits, entry.refusals);
}

function pause({ context }: Board, key: string, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    context.deadlines.set(key, context.clock.now() + delayMs, resolve);
  });
}
