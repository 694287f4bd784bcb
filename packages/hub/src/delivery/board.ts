import { createLane, type Lane } from "../core/lane.js";
import { type Corks, createCorks } from "./cork.js";
import { createDeadLetters, type DeadLetters } from "./dead-letters.js";
import type { BoundConnection } from "./delivery.js";
import type { DeliveryContext } from "./delivery-context.js";
import { createInbox, type Inbox } from "./inbox.js";
import { type ChannelBook, createBook, type Ledger, recordOf } from "./ledger.js";
import { createRecentReleases, type RecentReleases } from "./recent-releases.js";
import { createRemoteProxies, type RemoteProxies } from "./remote-proxies.js";
import { createStoredLedger, type StoredLedger } from "./stored-ledger.js";
import { createUntried, type Untried } from "./untried.js";

/** Pages that are in memory at once; each may hold many large envelopes. */
const READS_AT_ONCE = 4;

/** All state of delivery, shared by its verbs. */
export interface Board {
  readonly context: DeliveryContext;
  readonly books: Map<string, ChannelBook>;
  readonly inboxes: Map<string, Inbox>;
  readonly bound: Map<BoundConnection, Set<string>>;
  readonly recent: RecentReleases;
  readonly untried: Untried;
  readonly storedLedger: StoredLedger;
  readonly letters: DeadLetters;
  readonly remotes: RemoteProxies;
  readonly corks: Corks;
  /** Where pages are read; connections take turns. */
  readonly reads: Lane<BoundConnection | null>;
  /** Who waits until nothing of a channel is outstanding. */
  readonly idleWaiters: Map<string, () => void>;
  /** Substantive envelopes outstanding over all agents. */
  pending: number;
  stopped: boolean;
}

/** Makes an empty board. */
export function createBoard(context: DeliveryContext): Board {
  const storedLedger = createStoredLedger(() => board);
  const board: Board = {
    context,
    books: new Map(),
    inboxes: new Map(),
    bound: new Map(),
    recent: createRecentReleases(context.limits.ledgerEnvelopes, storedLedger),
    untried: createUntried((envelope, failures) =>
      context.listeners.emit("onEnvelopeDispatched", envelope, failures),
    ),
    storedLedger,
    letters: createDeadLetters(context),
    remotes: createRemoteProxies(),
    corks: createCorks(),
    reads: createLane(READS_AT_ONCE),
    idleWaiters: new Map(),
    pending: 0,
    stopped: false,
  };
  return board;
}

/** The book of a channel, made when there is none. */
export function bookOf(board: Board, channelId: string): ChannelBook {
  const known = board.books.get(channelId);
  if (known !== undefined) return known;
  const book = createBook(channelId);
  board.books.set(channelId, book);
  return book;
}

/** The inbox of an agent, made when there is none. */
export function inboxOf(board: Board, agentId: string): Inbox {
  const known = board.inboxes.get(agentId);
  if (known !== undefined) return known;
  const inbox = createInbox(agentId);
  board.inboxes.set(agentId, inbox);
  return inbox;
}

/** Changes an agent's count of substantive envelopes outstanding. */
export function countPending(board: Board, inbox: Inbox, change: number): void {
  inbox.pending += change;
  board.pending += change;
}

/** Lets go of what an ended channel that is not in memory has left: nothing of it is outstanding. */
export function dropSettled(board: Board, book: ChannelBook): void {
  if (!book.ended || !book.forgotten) return;
  for (const ledger of book.ledgers.values()) {
    if (ledger.loaded && ledger.entries.length === 0) book.ledgers.delete(ledger.agentId);
  }
  if (book.ledgers.size === 0) board.books.delete(book.channelId);
}

/** Writes what a ledger has settled, with the next commit. */
export function writeRecord(board: Board, ledger: Ledger): void {
  if (!ledger.loaded) return;
  board.context.committer.lazily({ deliveries: [recordOf(ledger)] });
}
