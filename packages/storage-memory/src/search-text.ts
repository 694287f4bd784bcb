import {
  type CheckedSearch,
  checkTextSearch,
  foldedTextOf,
  lookThrough,
  type StoredEnvelope,
  type TextPage,
  type TextSearch,
} from "@colloquy/protocol";
import type { DiskChannel, DiskContent } from "./memory-disk.js";

/** Texts that are kept folded; beyond it they are folded anew, so that memory does not double. */
const MAX_CHARACTERS_KEPT = 1_000;

/** Folded texts by envelope, as far as they were searched and are short: the index of this store. */
const folded = new WeakMap<StoredEnvelope, string>();

/**
 * Searches a memory disk. What was folded once is kept as long as its envelope, so that a second
 * search only compares.
 *
 * @param channelOf - a channel by its id; undefined when there is none
 */
export function searchText(
  content: DiskContent,
  search: TextSearch,
  channelOf: (channelId: string) => DiskChannel | undefined,
): TextPage {
  const checked = checkTextSearch(search);
  const log = checked.channelId === null ? content.log : (channelOf(checked.channelId)?.wal ?? []);
  return lookThrough(candidates(content, log, checked), checked, textOf);
}

function* candidates(
  content: DiskContent,
  log: readonly StoredEnvelope[],
  { after, before, isNewestFirst }: CheckedSearch,
): Generator<StoredEnvelope, void, undefined> {
  // Places have no gaps: the envelope at place n is the nth of its log.
  const start = Math.min(after, log.length);
  const end = Math.min(before - 1, log.length);
  for (let step = 0; step < end - start; step += 1) {
    const stored = log[isNewestFirst ? end - 1 - step : start + step];
    if (stored !== undefined && content.channels.get(stored.channel_id)?.damaged !== true)
      yield stored;
  }
}

function textOf(stored: StoredEnvelope): string {
  const known = folded.get(stored);
  if (known !== undefined) return known;
  const text = foldedTextOf(stored);
  if (text !== "" && text.length <= MAX_CHARACTERS_KEPT) folded.set(stored, text);
  return text;
}
