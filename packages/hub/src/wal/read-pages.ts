import { setImmediate } from "node:timers/promises";
import {
  type Envelope,
  type Store,
  type StoredEnvelope,
  TooLargeError,
  type WalRange,
} from "@colloquy/protocol";
import { parseStored } from "./parse-stored.js";

/** Envelopes of the first page: few, because they may all be large. */
const FIRST_PAGE = 16;
const MAX_PAGE = 1_000;
/** Bytes that a page is to have at most, by the average of the page before. */
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Pages of a channel's WAL, oldest first, until the range is exhausted. Between two pages others
 * have their turn, so that a long read keeps no socket and no commit waiting; a page is the shorter
 * the larger its envelopes are, so that it fills no memory.
 *
 * @param range - `last` counts back from `upTo`, and needs it
 */
export async function* readPages(
  store: Pick<Store, "readWal">,
  channelId: string,
  { after = 0, upTo, last }: Omit<WalRange, "limit"> = {},
): AsyncGenerator<readonly StoredEnvelope[], void, undefined> {
  const newest = last === undefined || upTo === undefined ? 0 : Math.max(0, upTo - last);
  const end = upTo === undefined ? {} : { upTo };
  let limit = FIRST_PAGE;
  for (let next: number | null = Math.max(after, newest); next !== null; ) {
    const page = await store.readWal(channelId, { after: next, ...end, limit });
    if (page.envelopes.length > 0) yield page.envelopes;
    limit = sizeOfNext(page.envelopes);
    next = page.next;
    if (next !== null) await setImmediate();
  }
}

/** Envelopes that the page after this one may have. */
export function sizeOfNext(page: readonly StoredEnvelope[]): number {
  const average = bytesOf(page) / Math.max(1, page.length);
  return Math.min(MAX_PAGE, Math.max(1, Math.floor(PAGE_BYTES / Math.max(1, average))));
}

function bytesOf(page: readonly StoredEnvelope[]): number {
  return page.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
}

/** What {@link readEnvelopes} makes of a range. */
export interface Reading {
  /** Bytes that what is given may have; default: any number. */
  readonly maxBytes?: number | undefined;
  /** What stands for an envelope, or null for nothing; only one that is given as it is has a weight. */
  show?(envelope: Envelope, position: number): Envelope | null;
}

/**
 * All of a range as envelopes, parsed page by page.
 *
 * Throws `TooLargeError` once they have too many bytes; no more is read then.
 */
export async function readEnvelopes(
  store: Pick<Store, "readWal">,
  channelId: string,
  range: Omit<WalRange, "limit"> = {},
  { maxBytes = Number.POSITIVE_INFINITY, show = (envelope) => envelope }: Reading = {},
): Promise<Envelope[]> {
  const all: Envelope[] = [];
  let bytes = 0;
  for await (const page of readPages(store, channelId, range)) {
    for (const stored of page) {
      const envelope = parseStored(stored);
      const shown = show(envelope, stored.position);
      if (shown === envelope) bytes += Buffer.byteLength(stored.body);
      requireBytes(bytes, maxBytes);
      if (shown !== null) all.push(shown);
    }
  }
  return all;
}

/** Throws `TooLargeError` when an answer would have more bytes than it may. */
export function requireBytes(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new TooLargeError(
    `the answer has ${bytes} bytes or more and a message may have ${maxBytes}; ask for less, such as a range of the WAL or a smaller window`,
    { details: { max_bytes: maxBytes } },
  );
}
