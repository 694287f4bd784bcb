import type { DeliveryRecord } from "@colloquy/protocol";
import type { Outstanding } from "./outstanding.js";

/** Most settled positions above a floor that are remembered; what lies beyond is sent again after a restart. */
const MAX_ABOVE = 1_000;

/** What delivery knows of one channel. Without ledgers it is three words. */
export interface ChannelBook {
  readonly channelId: string;
  /** Position up to which every member's share has been accounted for by this process; 0 before the first. */
  known: number;
  /** True once the channel's last envelope has been released. */
  ended: boolean;
  /** True once the channel's memory was dropped: what settles from now on is dropped as well. */
  forgotten: boolean;
  readonly ledgers: Map<string, Ledger>;
}

/**
 * What one agent has settled of one channel, and what it has not.
 *
 * - R1: `entries` is sorted by position, and so by envelope id.
 * - R2: every position up to `floor`, and each one in `above`, is settled; everything else up to
 *   the book's `known` is settled exactly if it is no entry.
 */
export interface Ledger {
  readonly agentId: string;
  readonly book: ChannelBook;
  /** Newest acknowledged envelope id; empty for none. */
  cursor: string;
  floor: number;
  above: readonly number[];
  entries: readonly Outstanding[];
  /** How many entries are queued. */
  queued: number;
  /** Floor of the newest record that was written. */
  written: number;
  /** True for one who takes part no longer: it is dropped once it has settled what it got. */
  departed: boolean;
  /** False while only the stored record is known and its entries have not been read. */
  loaded: boolean;
}

/** Shared by everything that holds nothing, so that an idle ledger costs no array. */
const NONE: readonly never[] = [];

/** Makes the book of a channel. */
export function createBook(channelId: string): ChannelBook {
  return { channelId, known: 0, ended: false, forgotten: false, ledgers: new Map() };
}

/** The ledger of an agent, made empty when there is none. */
export function openLedger(book: ChannelBook, agentId: string): Ledger {
  const known = book.ledgers.get(agentId);
  if (known !== undefined) return known;
  const ledger: Ledger = {
    agentId,
    book,
    cursor: "",
    floor: 0,
    above: NONE,
    entries: NONE,
    queued: 0,
    written: -1,
    departed: false,
    loaded: true,
  };
  book.ledgers.set(agentId, ledger);
  return ledger;
}

/** Adds an entry in its place, which is behind all others unless somebody retries an older one. */
export function addEntry(ledger: Ledger, entry: Outstanding): void {
  if (ledger.entries.length === 0) {
    ledger.entries = [entry];
    return;
  }
  const entries = ledger.entries as Outstanding[];
  let index = entries.length;
  while (index > 0 && (entries[index - 1]?.position ?? 0) > entry.position) index -= 1;
  if (index === entries.length) entries.push(entry);
  else entries.splice(index, 0, entry);
}

/** The entry of an envelope; undefined when it is not outstanding. */
export function findEntry(ledger: Ledger, envelopeId: string): Outstanding | undefined {
  const { entries } = ledger;
  let low = 0;
  let high = entries.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry === undefined || entry.envelopeId === envelopeId) return entry;
    if (entry.envelopeId < envelopeId) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Takes out an entry that is settled, and brings floor and `above` up to date. */
export function removeEntry(ledger: Ledger, entry: Outstanding): void {
  const entries = ledger.entries as Outstanding[];
  const index = entries.indexOf(entry);
  if (index < 0) return;
  if (entries.length === 1) ledger.entries = NONE;
  else if (index === 0) entries.shift();
  else entries.splice(index, 1);
  // What is retried was settled before; and an older one of its kind holds no floor back.
  const oldest = oldestUnsettled(ledger);
  if (!entry.retried && oldest !== undefined && oldest.position < entry.position) {
    noteAbove(ledger, entry.position);
  }
  raiseFloor(ledger);
}

/** The oldest entry of which the floor speaks. */
function oldestUnsettled({ entries }: Ledger): Outstanding | undefined {
  const [first] = entries;
  return first?.retried === true ? entries.find(({ retried }) => !retried) : first;
}

/** Remembers that a position is settled although an older one is not. */
export function noteAbove(ledger: Ledger, position: number): void {
  if (ledger.entries.length === 0 || ledger.above.length >= MAX_ABOVE) return;
  const above = ledger.above.length === 0 ? [] : (ledger.above as number[]);
  let index = above.length;
  while (index > 0 && (above[index - 1] ?? 0) > position) index -= 1;
  above.splice(index, 0, position);
  ledger.above = above;
}

/** Moves the floor up to the oldest entry, or to the end of what is known. */
function raiseFloor(ledger: Ledger): void {
  const oldest = oldestUnsettled(ledger);
  const floor = oldest === undefined ? ledger.book.known : oldest.position - 1;
  if (floor <= ledger.floor) return;
  ledger.floor = floor;
  if (ledger.above.length === 0) return;
  const above = ledger.above.filter((position) => position > floor);
  ledger.above = above.length === 0 ? NONE : above;
}

/** True if a position is settled by what was stored of this ledger. */
export function isSettled(ledger: Ledger, position: number): boolean {
  return position <= ledger.floor || ledger.above.includes(position);
}

/** The ledger as it is stored. */
export function recordOf(ledger: Ledger): DeliveryRecord {
  raiseFloor(ledger);
  ledger.written = ledger.floor;
  return {
    agent_id: ledger.agentId,
    channel_id: ledger.book.channelId,
    cursor: ledger.cursor,
    floor: ledger.floor,
    above: [...ledger.above],
    settled: (ledger.book.ended || ledger.departed) && ledger.entries.length === 0,
  };
}
