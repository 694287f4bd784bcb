import { type Envelope, pageLimit, type Store, type StoredEnvelope } from "@colloquy/protocol";
import type { EnvelopePage } from "../hub.js";
import { parseStored } from "../wal/parse-stored.js";
import { type Reading, readEnvelopes, readPages } from "../wal/read-pages.js";
import { requireChannel } from "./require-channel.js";

/** What reads of a WAL work on. */
export interface WalReads {
  readonly store: Pick<Store, "readWal" | "readChannel" | "readHead" | "readEnvelope">;
}

/** Bytes of a page's envelopes at most, unless one alone has more. */
const ANSWER_BYTES = 4 * 1024 * 1024;

/** Range of {@link readWalPage}. */
export interface PageRange {
  readonly after?: number | undefined;
  readonly last?: number | null | undefined;
  readonly limit?: number | undefined;
}

/**
 * Envelopes with `since` < position ≤ `until`, oldest first; negative bounds count from the end.
 * Throws `NotFoundError` for an unknown channel, `TooLargeError` as `reading` says.
 */
export async function readWal(
  { store }: WalReads,
  channelId: string,
  since = 0,
  until: number | null = null,
  reading: Reading = {},
): Promise<readonly Envelope[]> {
  await requireChannel(store, channelId);
  const { position: head } = await store.readHead(channelId);
  const after = fromEnd(since, head);
  const upTo = until === null ? head : Math.min(fromEnd(until, head), head);
  if (after >= upTo) return [];
  return readEnvelopes(store, channelId, { after, upTo }, reading);
}

/**
 * One page of a WAL; shorter than asked for when its envelopes are large. Throws `NotFoundError` for
 * an unknown channel.
 */
export async function readWalPage(
  { store }: WalReads,
  channelId: string,
  { after = 0, last, limit }: PageRange = {},
): Promise<EnvelopePage> {
  await requireChannel(store, channelId);
  const { position: head } = await store.readHead(channelId);
  const isWhole = last === null || last === undefined;
  const from = isWhole ? after : Math.max(after, head - last);
  const upTo = Math.min(head, from + pageLimit(limit));
  const found = from < upTo ? await readUpTo(store, channelId, { after: from, upTo }) : [];
  const end = found.at(-1)?.position ?? head;
  return {
    envelopes: found.map(parseStored),
    positions: found.map(({ position }) => position),
    next: end < head ? end : null,
    head,
  };
}

async function readUpTo(
  store: WalReads["store"],
  channelId: string,
  range: { readonly after: number; readonly upTo: number },
): Promise<StoredEnvelope[]> {
  const found: StoredEnvelope[] = [];
  let bytes = 0;
  for await (const page of readPages(store, channelId, range)) {
    for (const stored of page) {
      bytes += Buffer.byteLength(stored.body);
      if (bytes > ANSWER_BYTES && found.length > 0) return found;
      found.push(stored);
    }
  }
  return found;
}

function fromEnd(bound: number, head: number): number {
  return bound < 0 ? Math.max(0, head + bound) : bound;
}
