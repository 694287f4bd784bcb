import { setImmediate } from "node:timers/promises";
import { DEFAULT_SEARCH_SIZE, type Envelope, pageLimit, type Store } from "@colloquy/protocol";
import type { ChannelSearch, FoundPage } from "../wal/channel-search.js";
import { parseStored } from "../wal/parse-stored.js";
import { requireChannel } from "./require-channel.js";

/** Bytes of a page's envelopes at most, unless one alone has more. */
const ANSWER_BYTES = 4 * 1024 * 1024;
/** Looks into the store for one page: of 1,000 envelopes each, at most. */
const LOOKS = 20;

type SearchStore = Pick<Store, "readChannel" | "searchText">;

interface Hit {
  readonly envelope: Envelope;
  readonly position: number;
}

/**
 * Searches a channel. Between two looks into the store others have their turn, and after
 * {@link LOOKS} of them the page ends, full or not, so that no search lasts long.
 */
export async function searchChannel(
  { store }: { readonly store: SearchStore },
  channelId: string,
  words: string,
  {
    after = 0,
    before,
    order = "oldest",
    limit = DEFAULT_SEARCH_SIZE,
    isVisible,
  }: ChannelSearch = {},
): Promise<FoundPage> {
  await requireChannel(store, channelId);
  const most = pageLimit(limit);
  const isNewestFirst = order === "newest";
  const found: Hit[] = [];
  let bytes = 0;
  let bounds: { readonly after: number; readonly before?: number } = {
    after,
    ...(before === undefined ? {} : { before }),
  };
  for (let look = 0; look < LOOKS; look += 1) {
    const asked = { text: words, channel_id: channelId, order, limit: most - found.length };
    const page = await store.searchText({ ...asked, ...bounds });
    for (const stored of page.envelopes) {
      const hit = { envelope: parseStored(stored), position: stored.position };
      if (isVisible?.(hit.envelope, hit.position) === false) continue;
      bytes += Buffer.byteLength(stored.body);
      if (bytes > ANSWER_BYTES && found.length > 0) {
        return pageOf(found, found.at(-1)?.position ?? null);
      }
      found.push(hit);
    }
    if (page.next === null) return pageOf(found, null);
    if (found.length >= most) return pageOf(found, page.next);
    bounds = isNewestFirst ? { ...bounds, before: page.next } : { ...bounds, after: page.next };
    await setImmediate();
  }
  return pageOf(found, isNewestFirst ? (bounds.before ?? null) : bounds.after);
}

function pageOf(found: readonly Hit[], next: number | null): FoundPage {
  return {
    envelopes: found.map(({ envelope }) => envelope),
    positions: found.map(({ position }) => position),
    next,
  };
}
