import { foldedTextOf, SPOKEN_EVENT_TYPES } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import { indexedText } from "./index-terms.js";
import { CURRENT_TEXT_FORM, TEXT_FORM, TEXT_INDEX, TEXT_TO } from "./text-index-table.js";

/** Rows and characters of a slice at most, unless one row alone has more: some ten milliseconds of work. */
const ROWS_PER_SLICE = 256;
const CHARACTERS_PER_SLICE = 16_384;
/** Rows that one question to the index gives. */
const ROWS_PER_QUESTION = 64;

/** Rows of the log between two others, in either order. */
export interface RowSpan {
  /** Strictly above. */
  readonly after: number;
  /** Strictly below. */
  readonly before: number;
  readonly isNewestFirst: boolean;
}

/** The index of what was said. */
export interface TextIndex {
  /** The row up to which it holds the log; 0 when it is in a form that is not known here. */
  filledTo(): number;
  /** Rows that may answer a question of `indexQuestion`, in order. */
  candidates(question: string, span: RowSpan): Generator<number, void, undefined>;
  /** Takes in some more of the log; inside a transaction. True when there is more to take in. */
  fillSlice(): boolean;
  /** True when it does not fit the log or this program: of another form, or ahead of the log. */
  readonly isStale: boolean;
  /** Makes it anew and empty; inside a transaction. */
  reset(): void;
}

interface LogRow {
  readonly n: number;
  readonly channel: number;
  readonly type: string;
  readonly body: string;
}

/** Prepares a {@link TextIndex}. */
export function createTextIndex(db: Database): TextIndex {
  const readMark = db.prepare<[string], { value: number }>("SELECT value FROM mark WHERE name = ?");
  const putMark = db.prepare(
    "INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  const readRows = db.prepare<[number], LogRow>(
    "SELECT n, channel, type, body FROM envelope WHERE n > ? ORDER BY n",
  );
  const readLast = db.prepare<[], { n: number | null }>("SELECT max(n) AS n FROM envelope");
  const ask = (order: "ASC" | "DESC") =>
    db.prepare<[string, number, number], { rowid: number }>(
      `SELECT rowid FROM text_index WHERE text_index MATCH ? AND rowid > ? AND rowid < ?
         ORDER BY rowid ${order} LIMIT ${ROWS_PER_QUESTION}`,
    );
  const [upwards, downwards] = [ask("ASC"), ask("DESC")];
  const put = db.prepare("INSERT INTO text_index (rowid, text) VALUES (?, ?)");
  const markOf = (name: string): number => readMark.get(name)?.value ?? 0;
  const filledTo = (): number => (markOf(TEXT_FORM) === CURRENT_TEXT_FORM ? markOf(TEXT_TO) : 0);

  const lastRow = (): number => readLast.get()?.n ?? 0;

  return {
    filledTo,
    get isStale() {
      return markOf(TEXT_FORM) !== CURRENT_TEXT_FORM || markOf(TEXT_TO) > lastRow();
    },
    *candidates(question, { after, before, isNewestFirst }) {
      let [low, high] = [after, before];
      for (;;) {
        const found = (isNewestFirst ? downwards : upwards).all(question, low, high);
        for (const { rowid } of found) yield rowid;
        const last = found.at(-1)?.rowid;
        if (last === undefined || found.length < ROWS_PER_QUESTION) return;
        if (isNewestFirst) high = last;
        else low = last;
      }
    },
    fillSlice() {
      let to = filledTo();
      let [rows, characters] = [0, 0];
      const taken: { n: number; text: string }[] = [];
      for (const { n, channel, type, body } of readRows.iterate(to)) {
        to = n;
        rows += 1;
        const folded = SPOKEN_EVENT_TYPES.has(type) ? foldedTextOf({ event_type: type, body }) : "";
        if (folded !== "") taken.push({ n, text: indexedText(channel, folded) });
        characters += folded.length;
        if (rows >= ROWS_PER_SLICE || characters >= CHARACTERS_PER_SLICE) break;
      }
      for (const { n, text } of taken) put.run(n, text);
      if (rows > 0) putMark.run(TEXT_TO, to);
      return to < lastRow();
    },
    reset() {
      db.exec(`DROP TABLE IF EXISTS text_index; ${TEXT_INDEX}`);
      putMark.run(TEXT_TO, 0);
      putMark.run(TEXT_FORM, CURRENT_TEXT_FORM);
    },
  };
}
