import type { StoredEnvelope, TextPage } from "../ports/store.js";
import { foldText } from "../text/fold-text.js";
import { SPOKEN_EVENT_TYPES, spokenText } from "../text/spoken-text.js";
import { type CheckedSearch, MAX_LOOKED_AT, MAX_LOOKED_AT_BYTES } from "./text-search.js";

/**
 * Looks through candidates in their order, keeps those that say the words, and ends when the page is
 * full or enough was looked at. Both ends of a search, by index and by reading, come through here, so
 * that every store finds the same.
 *
 * @param candidates - in the order of the search; only those that are looked at are drawn
 * @param textOf - the folded text of a candidate; default: read from its body
 */
export function lookThrough(
  candidates: Iterable<StoredEnvelope>,
  search: CheckedSearch,
  textOf: (stored: StoredEnvelope) => string = foldedTextOf,
): TextPage {
  const envelopes: StoredEnvelope[] = [];
  let looked = 0;
  let bytes = 0;
  for (const stored of candidates) {
    looked += 1;
    bytes += stored.body.length;
    if (textOf(stored).includes(search.needle)) envelopes.push(stored);
    const isFull = envelopes.length >= search.limit;
    if (isFull || looked >= MAX_LOOKED_AT || bytes >= MAX_LOOKED_AT_BYTES) {
      return { envelopes, next: search.channelId === null ? stored.row : stored.position };
    }
  }
  return { envelopes, next: null };
}

/** What a stored envelope says, folded; empty when its body cannot be read. */
export function foldedTextOf({ event_type, body }: Pick<StoredEnvelope, "event_type" | "body">) {
  return foldText(storedText({ event_type, body }));
}

/** What a stored envelope says; empty when its body cannot be read. */
export function storedText({
  event_type,
  body,
}: Pick<StoredEnvelope, "event_type" | "body">): string {
  if (!SPOKEN_EVENT_TYPES.has(event_type)) return "";
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null) return "";
    const event_data: unknown = Reflect.get(parsed, "event_data");
    if (typeof event_data !== "object" || event_data === null) return "";
    return spokenText({ event_type, event_data: event_data as Record<string, unknown> });
  } catch {
    return "";
  }
}
