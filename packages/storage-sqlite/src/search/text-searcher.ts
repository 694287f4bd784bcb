import {
  type CheckedSearch,
  checkTextSearch,
  lookThrough,
  type StoredEnvelope,
  type TextPage,
  type TextSearch,
} from "@colloquy/protocol";
import { isDamage } from "../file/store-fault.js";
import type { HeadIndex } from "../log/head-index.js";
import type { LogReader } from "../log/log-reader.js";
import { indexQuestion } from "./index-terms.js";
import { readSpan } from "./log-rows.js";
import type { RowSpan, TextIndex } from "./text-index.js";

/** Envelopes that are read beyond the index before it is worth filling. */
const WORTH_FILLING = 256;

/** What {@link createTextSearcher} works on. */
export interface SearchContext {
  readonly log: LogReader;
  readonly heads: HeadIndex;
  readonly text: TextIndex;
  /** The index would have saved a search some reading. */
  onBehind(): void;
  /** The index cannot be read. The search is answered from the log. */
  onDamage(error: unknown): void;
}

/**
 * Searches by the index as far as it goes, and reads the log beyond: what is found is the same,
 * however much the index holds. Call it inside one state of the database.
 */
export function createTextSearcher(context: SearchContext): (search: TextSearch) => TextPage {
  const { log, heads, text, onBehind, onDamage } = context;
  return (search) => {
    const checked = checkTextSearch(search);
    const number = checked.channelId === null ? null : heads.numberOf(checked.channelId);
    if (checked.channelId !== null && number === null) return { envelopes: [], next: null };
    const span = rowsOf(log, checked);
    const question = indexQuestion(number, checked.needle);
    if (question === null) return lookThrough(readSpan(log, checked.channelId, span), checked);
    let read = 0;
    const counted = function* (rows: Iterable<StoredEnvelope>) {
      for (const stored of rows) {
        read += 1;
        yield stored;
      }
    };
    const scan = (part: RowSpan) => counted(readSpan(log, checked.channelId, part));
    try {
      return lookThrough(
        byIndex(context, { channelId: checked.channelId, span, question }, scan),
        checked,
      );
    } catch (error) {
      if (!isDamage(error)) throw error;
      onDamage(error);
      return lookThrough(scan(span), checked);
    } finally {
      if (read > WORTH_FILLING && text.filledTo() < heads.lastRow) onBehind();
    }
  };
}

interface Asked {
  readonly channelId: string | null;
  readonly span: RowSpan;
  readonly question: string;
}

/** The part that the index holds, and the part behind it from the log. */
function* byIndex(
  { log, text }: SearchContext,
  { channelId, span, question }: Asked,
  scan: (span: RowSpan) => Generator<StoredEnvelope, void, undefined>,
): Generator<StoredEnvelope, void, undefined> {
  const { after, before, isNewestFirst } = span;
  const mark = text.filledTo();
  const behind: RowSpan = { after: Math.max(after, mark), before, isNewestFirst };
  const held: RowSpan = { after, before: Math.min(before, mark + 1), isNewestFirst };
  if (isNewestFirst) yield* scan(behind);
  for (const row of text.candidates(question, held)) {
    const stored = log.readRow(row);
    if (stored !== null && (channelId === null || stored.channel_id === channelId)) yield stored;
  }
  if (!isNewestFirst) yield* scan(behind);
}

/** Bounds of a search as rows: positions of a channel are looked up. */
function rowsOf(
  log: LogReader,
  { channelId, after, before, isNewestFirst }: CheckedSearch,
): RowSpan {
  if (channelId === null) return { after, before, isNewestFirst };
  const head = log.readHead(channelId);
  const rowAt = (position: number): number =>
    log.readWal(channelId, { after: position - 1, upTo: position }).envelopes[0]?.row ?? 0;
  return {
    after: after >= head.position ? head.row : after === 0 ? 0 : rowAt(after),
    before: before > head.position ? head.row + 1 : before === 0 ? 0 : rowAt(before),
    isNewestFirst,
  };
}
