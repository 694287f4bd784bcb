import { setImmediate } from "node:timers/promises";
import type { Envelope, Store, StoredEnvelope, WalRange } from "@colloquy/protocol";
import { parseStored } from "./parse-stored.js";

/**
 * Pages of a channel's WAL, oldest first, until the range is exhausted. Between two pages others
 * have their turn, so that a long read keeps no socket and no commit waiting.
 */
export async function* readPages(
  store: Pick<Store, "readWal">,
  channelId: string,
  range: WalRange = {},
): AsyncGenerator<readonly StoredEnvelope[], void, undefined> {
  for (let next: WalRange | null = range; next !== null; ) {
    const page = await store.readWal(channelId, next);
    if (page.envelopes.length > 0) yield page.envelopes;
    const { last: _read, ...rest }: WalRange = next;
    next = page.next === null ? null : { ...rest, after: page.next };
    if (next !== null) await setImmediate();
  }
}

/** All of a range at once. */
export async function readRange(
  store: Pick<Store, "readWal">,
  channelId: string,
  range: WalRange = {},
): Promise<StoredEnvelope[]> {
  const all: StoredEnvelope[] = [];
  for await (const page of readPages(store, channelId, range)) {
    for (const stored of page) all.push(stored);
  }
  return all;
}

/** All of a range as envelopes, parsed page by page. */
export async function readEnvelopes(
  store: Pick<Store, "readWal">,
  channelId: string,
  range: WalRange = {},
): Promise<Envelope[]> {
  const all: Envelope[] = [];
  for await (const page of readPages(store, channelId, range)) {
    for (const stored of page) all.push(parseStored(stored));
  }
  return all;
}
