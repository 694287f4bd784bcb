import { setImmediate } from "node:timers/promises";
import type { Store, StoredEnvelope, TextSearch } from "@colloquy/protocol";

/** Where a search ended that may find more; null when it has found everything. */
export type SearchEnd = number | null;

/**
 * Hands over what a search finds, page by page, until there are so many.
 *
 * @param limit - most hits to hand over
 * @returns the place of the last one when there may be more
 */
export async function searchStore(
  store: Pick<Store, "searchText">,
  search: TextSearch,
  limit: number,
  show: (stored: StoredEnvelope) => Promise<void>,
): Promise<SearchEnd> {
  let from = search;
  for (let given = 0; given < limit; ) {
    const page = await store.searchText({ ...from, limit: limit - given });
    for (const stored of page.envelopes) await show(stored);
    given += page.envelopes.length;
    if (page.next === null) return null;
    if (given >= limit) return page.next;
    from =
      search.order === "newest" ? { ...from, before: page.next } : { ...from, after: page.next };
    // A signal to end is seen between two pages.
    await setImmediate();
  }
  return null;
}
