import type { Store, StoredEnvelope, WalRange } from "@colloquy/protocol";

/** Pages of a channel's WAL, oldest first, until the range is exhausted. */
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
