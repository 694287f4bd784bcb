import type { WalRange } from "../ports/store.js";
import { MAX_STORE_PAGE, pageLimit, wholeNumber } from "./page-limit.js";

/** The positions of one page of a WAL. */
export interface WalWindow {
  /** First position, included. */
  readonly from: number;
  /** Last position, included; below `from` for an empty page. */
  readonly to: number;
  /** `after` of the next page; null when the range is exhausted. */
  readonly next: number | null;
}

/**
 * Works out which positions a store's `readWal` answers with.
 *
 * `last` first cuts the range to its newest so many; a range longer than a page is then read from
 * its start, page by page. Repeating the range with `after` set to `next` gives the rest.
 *
 * @param range - what the caller asked for
 * @param head - newest position of the channel, 0 for none
 * @throws InvalidInputError for a bound that is no whole number of its range
 */
export function walWindow(range: WalRange, head: number): WalWindow {
  const after = wholeNumber(range.after, 0, 0, "after");
  const end = Math.min(wholeNumber(range.upTo, 0, head, "upTo"), head);
  const limit = range.last === undefined ? pageLimit(range.limit) : MAX_STORE_PAGE;
  const newest = wholeNumber(range.last, 0, head, "last");
  const from = Math.max(after, end - newest) + 1;
  const to = Math.min(end, from + limit - 1);
  return { from, to, next: to >= from && to < end ? to : null };
}
