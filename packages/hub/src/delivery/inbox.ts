import type { BoundConnection } from "./delivery.js";
import type { Ledger } from "./ledger.js";
import type { Outstanding, Rank } from "./outstanding.js";

/**
 * Which outstanding envelopes a connection wants: those of `channelId` only above `envelopeId`, all
 * of other channels. Null stands for every channel.
 */
export interface ReplayScope {
  readonly channelId: string | null;
  readonly envelopeId: string;
}

/** One agent's side of delivery, over all channels. */
export interface Inbox {
  readonly agentId: string;
  connection: BoundConnection | null;
  /** Epoch milliseconds at which it was tied to its newest connection; 0 before the first. */
  boundAt: number;
  /** Substantive envelopes outstanding. */
  pending: number;
  /** Substantive envelopes that are staged for it and not released. */
  announced: number;
  /** Envelopes sent and not settled. */
  inFlight: number;
  /** Ledgers with entries, or whose entries have not been read, by channel. */
  readonly active: Map<string, Ledger>;
  /** Ledgers with queued entries. */
  readonly queued: Set<Ledger>;
  /** Queued entries of each rank, over all of them. */
  readonly queuedOfRank: [urgent: number, normal: number, background: number];
  /** What is newer than the binding, until a replay on this connection asks for more; null offline. */
  scope: ReplayScope | null;
  /** Stands for the replay that is being prepared: everything new waits behind it. */
  replaying: object | null;
  /** The run that sends what is queued; null when none is under way. */
  pumping: Promise<void> | null;
  /** True while a deadline is set that will pump. */
  waking: boolean;
}

/** Makes the inbox of an agent that is offline and has nothing outstanding. */
export function createInbox(agentId: string): Inbox {
  return {
    agentId,
    connection: null,
    boundAt: 0,
    pending: 0,
    announced: 0,
    inFlight: 0,
    active: new Map(),
    queued: new Set(),
    queuedOfRank: [0, 0, 0],
    scope: null,
    replaying: null,
    pumping: null,
    waking: false,
  };
}

/** True if a connection wants this envelope. */
export function isInScope(scope: ReplayScope, channelId: string, envelopeId: string): boolean {
  const isElsewhere = scope.channelId !== null && scope.channelId !== channelId;
  return isElsewhere || envelopeId > scope.envelopeId;
}

/** Puts an entry among those that go out as soon as there is room. */
export function queueEntry(inbox: Inbox, ledger: Ledger, entry: Outstanding): void {
  if (entry.state === "queued") return;
  leaveState(inbox, ledger, entry);
  entry.state = "queued";
  ledger.queued += 1;
  inbox.queuedOfRank[entry.rank] += 1;
  inbox.queued.add(ledger);
}

/** Puts an entry aside until somebody asks for it. */
export function parkEntry(inbox: Inbox, ledger: Ledger, entry: Outstanding): void {
  leaveState(inbox, ledger, entry);
  entry.state = "parked";
}

/** Takes an entry out of the counts of its present state. Whoever calls this gives it another, or drops it. */
export function leaveState(inbox: Inbox, ledger: Ledger, entry: Outstanding): void {
  if (entry.state === "sent") inbox.inFlight -= 1;
  if (entry.state !== "queued") return;
  ledger.queued -= 1;
  inbox.queuedOfRank[entry.rank] -= 1;
  if (ledger.queued === 0) inbox.queued.delete(ledger);
}

/** The oldest entry of a ledger that is queued. */
export function firstQueued(ledger: Ledger): Outstanding | undefined {
  return ledger.queued === 0 ? undefined : ledger.entries.find((e) => e.state === "queued");
}

/** The ledger that is next: by urgency, then by age of its oldest queued envelope. */
export function nextQueued(inbox: Inbox): Ledger | undefined {
  let best: Ledger | undefined;
  let bestEntry: Outstanding | undefined;
  for (const ledger of inbox.queued) {
    const entry = firstQueued(ledger);
    if (entry === undefined) continue;
    if (bestEntry === undefined || goesBefore(entry, bestEntry)) {
      best = ledger;
      bestEntry = entry;
    }
  }
  return best;
}

/** True when something that is queued may have to go before an envelope of this rank, which is newer. */
export function hasToWait({ queued, queuedOfRank }: Inbox, rank: Rank): boolean {
  if (queued.size === 0) return false;
  for (let other = 0; other <= rank; other += 1) if ((queuedOfRank[other] ?? 0) > 0) return true;
  return false;
}

/** True when the entry, the oldest queued one of its ledger, is less urgent than that of another ledger. */
export function isOvertaken(inbox: Inbox, ledger: Ledger, entry: Outstanding): boolean {
  if (inbox.queued.size < 2) return false;
  let moreUrgent = 0;
  for (let rank = 0; rank < entry.rank; rank += 1) moreUrgent += inbox.queuedOfRank[rank] ?? 0;
  if (moreUrgent === 0) return false;
  const next = nextQueued(inbox);
  return next !== undefined && next !== ledger;
}

function goesBefore(a: Outstanding, b: Outstanding): boolean {
  return a.rank === b.rank ? a.envelopeId < b.envelopeId : a.rank < b.rank;
}
