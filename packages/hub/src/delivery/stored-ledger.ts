import type { RecordWrite, StoredRecord, Timer } from "@colloquy/protocol";
import type { DeliveryContext } from "./delivery-context.js";
import type { ChannelBook } from "./ledger.js";
import type {
  RecentRelease,
  RecentReleases,
  ReleaseWatch,
  StoredRelease,
} from "./recent-releases.js";
import { decodeReleases, encodeReleases } from "./release-codec.js";

/** Releases of one stored record. */
const BLOCK = 64;
/** Milliseconds between two looks at what has changed. */
const LOOK_EVERY_MS = 1_000;
/** Milliseconds for which a block must have been quiet before it is written. */
const QUIET_MS = 1_000;
/** Milliseconds after which a block is written although it is not quiet. */
const LATEST_MS = 10_000;
/** Digits of a block's number in its id, so that ids sort as numbers do. */
const ID_DIGITS = 12;

interface Dirty {
  readonly since: number;
  last: number;
}

/**
 * Writes the newest releases to the store, 64 to a record. A block is written once it has been quiet
 * for a second, and every ten seconds while it is not; under a load in which blocks fall out before
 * that they are not written at all, so that the cost per second is bounded by what is kept.
 */
export interface StoredLedger extends ReleaseWatch {
  /** What an earlier process has written, oldest first; a record that cannot be read is left out. */
  restore(records: readonly StoredRecord[]): StoredRelease[];
  /** Writes everything that has changed, and nothing later. */
  stop(): void;
}

/** What {@link createStoredLedger} works on; a board is one. */
export interface LedgerSource {
  readonly context: Pick<DeliveryContext, "clock" | "committer" | "logger">;
  readonly books: ReadonlyMap<string, ChannelBook>;
  readonly recent: Pick<RecentReleases, "all">;
}

/** Makes a {@link StoredLedger}. */
export function createStoredLedger(board: () => LedgerSource): StoredLedger {
  const dirty = new Map<number, Dirty>();
  const stored = new Set<number>();
  let removed: RecordWrite[] = [];
  let timer: Timer | null = null;

  // No deadline of the hub: nothing happens when it is due, so that nobody need hear of it.
  const arm = (): void => {
    timer ??= board().context.clock.setTimer(LOOK_EVERY_MS, look);
  };
  const look = (): void => {
    timer = null;
    const now = board().context.clock.now();
    write((block) => now - block.last >= QUIET_MS || now - block.since >= LATEST_MS);
    if (dirty.size > 0) arm();
  };
  const write = (isDue: (block: Dirty) => boolean): void => {
    const due = [...dirty].filter(([, block]) => isDue(block)).map(([number]) => number);
    const records = removed;
    removed = [];
    for (const [number, releases] of readBlocks(board(), new Set(due))) {
      stored.add(number);
      const value = encodeReleases(board().books, releases, number * BLOCK);
      records.push({ kind: "ledger", id: idOf(number), value });
    }
    for (const number of due) dirty.delete(number);
    if (records.length > 0) board().context.committer.lazily({ deliveries: [], records });
  };

  return {
    changed({ sequence }) {
      const number = blockOf(sequence);
      const now = board().context.clock.now();
      const known = dirty.get(number);
      if (known !== undefined) known.last = now;
      else dirty.set(number, { since: now, last: now });
      arm();
    },
    dropped({ sequence }) {
      const number = blockOf(sequence);
      if (sequence % BLOCK !== BLOCK - 1) return;
      dirty.delete(number);
      if (stored.delete(number)) removed.push({ kind: "ledger", id: idOf(number), value: null });
    },
    restore(records) {
      return records.flatMap(({ id, value }) => {
        stored.add(Number(id));
        const releases = decodeReleases(value, Number(id) * BLOCK);
        if (releases === null) {
          board().context.logger.warn({ ledger: id }, "a stored ledger cannot be read");
        }
        return releases ?? [];
      });
    },
    stop() {
      timer?.cancel();
      timer = null;
      write(() => true);
    },
  };
}

/** The releases of these blocks that are kept, by block. */
function readBlocks(board: LedgerSource, due: ReadonlySet<number>): Map<number, RecentRelease[]> {
  const blocks = new Map<number, RecentRelease[]>();
  if (due.size === 0) return blocks;
  for (const release of board.recent.all) {
    const number = blockOf(release.sequence);
    if (!due.has(number)) continue;
    const known = blocks.get(number);
    if (known === undefined) blocks.set(number, [release]);
    else known.push(release);
  }
  return blocks;
}

function blockOf(sequence: number): number {
  return Math.floor(sequence / BLOCK);
}

function idOf(block: number): string {
  return String(block).padStart(ID_DIGITS, "0");
}
