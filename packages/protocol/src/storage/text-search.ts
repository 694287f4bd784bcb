import { InvalidInputError } from "../errors/network-error.js";
import { describeKind } from "../json/describe-kind.js";
import type { TextSearch } from "../ports/store.js";
import { foldText } from "../text/fold-text.js";
import { pageLimit, wholeNumber } from "./page-limit.js";

/** Characters (UTF-16 units) that the words of a search may have. */
export const MAX_SEARCH_LENGTH = 1_000;
/** Envelopes that a store looks at for one page of a search. */
export const MAX_LOOKED_AT = 1_000;
/** Bytes, or about so many, of the envelopes that it looks at for one page, unless one alone has more. */
export const MAX_LOOKED_AT_BYTES = 4 * 1024 * 1024;

/** A {@link TextSearch} with its defaults filled in. */
export interface CheckedSearch {
  /** The words as `foldText` gives them. */
  readonly needle: string;
  /** Null for all channels. */
  readonly channelId: string | null;
  /** Positions of the channel strictly between these; of all channels, rows. */
  readonly after: number;
  readonly before: number;
  readonly isNewestFirst: boolean;
  readonly limit: number;
}

/**
 * Checks what a store is asked to search.
 *
 * @throws InvalidInputError that names the field which cannot be
 */
export function checkTextSearch(search: TextSearch): CheckedSearch {
  const { text } = search;
  if (typeof text !== "string" || text === "" || text.length > MAX_SEARCH_LENGTH) {
    const received = typeof text === "string" ? `${text.length} characters` : describeKind(text);
    const remedy = `Give from 1 to ${MAX_SEARCH_LENGTH} characters.`;
    throw new InvalidInputError(`field text: received ${received}. ${remedy}`, {
      field: "text",
      received,
      remedy,
    });
  }
  return {
    needle: foldText(text),
    channelId: search.channel_id ?? null,
    after: wholeNumber(search.after, 0, 0, "after"),
    before: wholeNumber(search.before, 0, Number.MAX_SAFE_INTEGER, "before"),
    isNewestFirst: search.order === "newest",
    limit: pageLimit(search.limit),
  };
}
