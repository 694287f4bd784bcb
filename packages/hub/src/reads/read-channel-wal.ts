import { type Envelope, NotFoundError, type Store } from "@colloquy/protocol";
import type { EnvelopePage } from "../hub.js";
import { parseStored } from "../wal/parse-stored.js";
import { readEnvelopes } from "../wal/read-pages.js";

/** What reads of a WAL work on. */
export interface WalReads {
  readonly store: Pick<Store, "readWal" | "readChannel" | "readHead" | "readEnvelope">;
}

/** Range of {@link readWalPage}. */
export interface PageRange {
  readonly after?: number | undefined;
  readonly last?: number | null | undefined;
  readonly limit?: number | undefined;
}

/**
 * Envelopes with `since` < position ≤ `until`, oldest first; negative bounds count from the end.
 * Throws `NotFoundError` for an unknown channel.
 */
export async function readWal(
  { store }: WalReads,
  channelId: string,
  since = 0,
  until: number | null = null,
): Promise<readonly Envelope[]> {
  await requireChannel(store, channelId);
  const { position: head } = await store.readHead(channelId);
  const after = fromEnd(since, head);
  const upTo = until === null ? head : Math.min(fromEnd(until, head), head);
  if (after >= upTo) return [];
  return readEnvelopes(store, channelId, { after, upTo });
}

/** One page of a WAL. Throws `NotFoundError` for an unknown channel. */
export async function readWalPage(
  { store }: WalReads,
  channelId: string,
  { after = 0, last, limit }: PageRange = {},
): Promise<EnvelopePage> {
  await requireChannel(store, channelId);
  const from =
    last === null || last === undefined
      ? after
      : await startOfLast(store, channelId, { after, last });
  const page = await store.readWal(channelId, {
    after: from,
    ...(limit === undefined ? {} : { limit }),
  });
  return {
    envelopes: page.envelopes.map(parseStored),
    positions: page.envelopes.map(({ position }) => position),
    next: page.next,
    head: page.head,
  };
}

async function startOfLast(
  store: WalReads["store"],
  channelId: string,
  { after, last }: { readonly after: number; readonly last: number },
): Promise<number> {
  const { position } = await store.readHead(channelId);
  return Math.max(after, position - last);
}

async function requireChannel(store: WalReads["store"], channelId: string): Promise<void> {
  if ((await store.readChannel(channelId)) === null) {
    throw new NotFoundError(`channel not found: ${channelId.slice(0, 80)}`);
  }
}

function fromEnd(bound: number, head: number): number {
  return bound < 0 ? Math.max(0, head + bound) : bound;
}
