import type { StoredEnvelope } from "@colloquy/protocol";
import type { LogReader } from "../log/log-reader.js";
import type { RowSpan } from "./text-index.js";

/** Envelopes of the first page: few, because they may all be large. */
const FIRST_PAGE = 16;
const MAX_PAGE = 256;
const PAGE_CHARACTERS = 1_024 * 1_024;

/** Envelopes of a span as the log has them, of one channel or of all, in the span's order. */
export function readSpan(
  log: LogReader,
  channelId: string | null,
  span: RowSpan,
): Generator<StoredEnvelope, void, undefined> {
  return channelId === null ? ofStore(log, span) : ofChannel(log, channelId, span);
}

function* ofStore(log: LogReader, { after, before, isNewestFirst }: RowSpan) {
  let [low, high, size] = [after, before, FIRST_PAGE];
  for (;;) {
    const page = isNewestFirst ? log.readLogBack(high, size) : log.readLog(low, size);
    for (const stored of page) {
      if (isNewestFirst ? stored.row <= after : stored.row >= before) return;
      yield stored;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    if (isNewestFirst) high = last.row;
    else low = last.row;
    size = sizeOfNext(page);
  }
}

function* ofChannel(log: LogReader, channelId: string, { after, before, isNewestFirst }: RowSpan) {
  let low = lastAtOrBelow(log, channelId, after);
  let high = lastAtOrBelow(log, channelId, before - 1);
  let size = FIRST_PAGE;
  while (low < high) {
    const range = isNewestFirst
      ? { after: Math.max(low, high - size), upTo: high }
      : { after: low, upTo: Math.min(high, low + size) };
    const page = log.readWal(channelId, range).envelopes;
    yield* isNewestFirst ? page.toReversed() : page;
    if (page.length === 0) return;
    if (isNewestFirst) high = range.after;
    else low = range.upTo;
    size = sizeOfNext(page);
  }
}

/** The channel's last position whose row is not above a given one, looked for in halves; 0 for none. */
function lastAtOrBelow(log: LogReader, channelId: string, row: number): number {
  const head = log.readHead(channelId);
  if (head.row <= row) return head.position;
  let low = 0;
  let high = head.position;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [stored] = log.readWal(channelId, { after: middle - 1, upTo: middle }).envelopes;
    if (stored === undefined || stored.row > row) high = middle - 1;
    else low = middle;
  }
  return low;
}

function sizeOfNext(page: readonly StoredEnvelope[]): number {
  const average = page.reduce((sum, { body }) => sum + body.length, 0) / Math.max(1, page.length);
  return Math.min(MAX_PAGE, Math.max(1, Math.floor(PAGE_CHARACTERS / Math.max(1, average))));
}
