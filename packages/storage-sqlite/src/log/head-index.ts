import { type ChannelHead, StoreError } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";

/** Name of the mark up to whose row the table `head` is complete. */
const HEADS_TO = "heads_to";
/** Bounds of a {@link HeadIndex}. */
export interface HeadIndexLimits {
  /** Rows after which `markDue` asks for a new mark, so that opening scans little more; default 4,096. */
  readonly rowsPerMark: number;
  /** Channels that are remembered; beyond it those that the tables know are forgotten. Default 50,000. */
  readonly maxChannels: number;
}

const DEFAULT_LIMITS: HeadIndexLimits = { rowsPerMark: 4_096, maxChannels: 50_000 };

export const NO_HEAD: ChannelHead = { position: 0, row: 0, hash: "" };

/**
 * Knows the newest row of every channel without any write per envelope.
 *
 * Heads of channels that were written since the mark are in memory; the others are in the table
 * `head`. The owner tells it what was committed; a reader lets it catch up before each read.
 */
export interface HeadIndex {
  /** Newest row; 0 for an empty store. */
  readonly lastRow: number;
  /** Newest envelope id; empty for none. */
  readonly lastId: string;
  /** What was found amiss while opening, in sentences. */
  readonly repairs: readonly string[];
  /** A channel's number in the tables; null when it is not known. */
  numberOf(channelId: string): number | null;
  /** The end of a channel's WAL. Throws `StoreError` when the row that it should be is missing. */
  headOf(channel: number): ChannelHead;
  /** Forgets a channel's number, which a rolled back transaction may have given it. */
  forget(channelId: string): void;
  /** Takes in the new end of a channel's WAL, once it is committed. */
  moved(channel: number, head: ChannelHead): void;
  /** Takes in the new end of the log, once it is committed. */
  advance(lastRow: number, lastId: string): void;
  /** Reads rows that another process has written. */
  catchUp(): void;
  /** True when a mark should be written. */
  readonly markDue: boolean;
  /** Writes heads and mark; inside a transaction. Call `marked` once it is committed. */
  writeMark(): void;
  /** Forgets what the tables now know. */
  marked(): void;
}

interface TailRow {
  readonly n: number;
  readonly channel: number;
  readonly position: number;
  readonly hash: Buffer;
}

/** Opens a {@link HeadIndex}: one scan of the log after the mark. */
export function createHeadIndex(db: Database, limits = DEFAULT_LIMITS): HeadIndex {
  const { rowsPerMark, maxChannels } = limits;
  const readMark = db.prepare<[string], { value: number }>("SELECT value FROM mark WHERE name = ?");
  const readNewest = db.prepare<[], { n: number; id: string }>(
    "SELECT n, id FROM envelope ORDER BY n DESC LIMIT 1",
  );
  const readTail = db.prepare<[number], TailRow>(
    "SELECT n, channel, position, hash FROM envelope WHERE n > ? ORDER BY n",
  );
  const readNumber = db.prepare<[string], { n: number }>("SELECT n FROM channel WHERE id = ?");
  const readHead = db.prepare<[number], { n: number }>("SELECT n FROM head WHERE channel = ?");
  const readRow = db.prepare<[number], TailRow>(
    "SELECT n, channel, position, hash FROM envelope WHERE n = ?",
  );
  const putHead = db.prepare(
    "INSERT INTO head (channel, n) VALUES (?, ?) ON CONFLICT (channel) DO UPDATE SET n = excluded.n",
  );
  const putMark = db.prepare(
    "INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );

  const numbers = new Map<string, number>();
  const heads = new Map<number, ChannelHead>();
  const unmarked = new Set<number>();
  let mark = 0;
  let lastRow = 0;
  let lastId = "";

  const restart = (): void => {
    numbers.clear();
    heads.clear();
    unmarked.clear();
    mark = readMark.get(HEADS_TO)?.value ?? 0;
    lastRow = mark;
  };
  const scan = (): void => {
    for (const row of readTail.iterate(lastRow)) {
      const { n, channel, position } = row;
      heads.set(channel, { position, row: n, hash: row.hash.toString("hex") });
      unmarked.add(channel);
      lastRow = n;
    }
    lastId = readNewest.get()?.id ?? "";
  };
  const trim = (): void => {
    if (numbers.size > maxChannels) numbers.clear();
    if (heads.size <= maxChannels) return;
    for (const channel of heads.keys()) if (!unmarked.has(channel)) heads.delete(channel);
  };
  restart();
  scan();
  const newest = readNewest.get()?.n ?? 0;
  const repairs =
    newest < lastRow
      ? [
          `rows ${newest + 1} to ${lastRow} are missing from the log; their numbers are not used again`,
        ]
      : [];

  return {
    repairs,
    get lastRow() {
      return lastRow;
    },
    get lastId() {
      return lastId;
    },
    get markDue() {
      return lastRow - mark >= rowsPerMark;
    },
    numberOf(channelId) {
      const known = numbers.get(channelId);
      if (known !== undefined) return known;
      const found = readNumber.get(channelId)?.n ?? null;
      if (found === null) return null;
      trim();
      numbers.set(channelId, found);
      return found;
    },
    headOf(channel) {
      const known = heads.get(channel);
      if (known !== undefined) return known;
      const n = readHead.get(channel)?.n;
      const row = n === undefined ? undefined : readRow.get(n);
      if (n !== undefined && row?.channel !== channel) {
        throw new StoreError(`row ${n}, the newest of a channel, is missing from the log`, {
          details: { reason: "broken_chain", row: n },
        });
      }
      const head =
        row === undefined
          ? NO_HEAD
          : { position: row.position, row: row.n, hash: row.hash.toString("hex") };
      trim();
      heads.set(channel, head);
      return head;
    },
    forget: (channelId) => void numbers.delete(channelId),
    moved(channel, head) {
      heads.set(channel, head);
      unmarked.add(channel);
    },
    advance(row, id) {
      lastRow = row;
      lastId = id;
    },
    catchUp() {
      if (unmarked.size > maxChannels) restart();
      scan();
    },
    writeMark() {
      for (const channel of unmarked) putHead.run(channel, heads.get(channel)?.row ?? 0);
      putMark.run(HEADS_TO, lastRow);
    },
    marked() {
      mark = lastRow;
      unmarked.clear();
    },
  };
}
