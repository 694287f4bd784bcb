import { statSync } from "node:fs";
import type { Logger } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";

/** Space used beside the database. */
export interface WalState {
  /** Bytes of the journal. */
  readonly bytes: number;
  /** True when the journal is above its alert size and a reader keeps it from being emptied. */
  readonly blocked: boolean;
}

/**
 * Watches the size of the write-ahead journal.
 *
 * SQLite moves it into the database by itself, unless another process keeps a read open: then it
 * grows. Above the alert size that is logged and shown in health; once the reader is gone the
 * journal is emptied and its space given back.
 */
export interface WalWatch {
  /** What the newest look found. */
  readonly blocked: boolean;
  /** Looks, and does what can be done. Not inside a transaction. */
  check(): WalState;
}

/** What {@link createWalWatch} works on. */
export interface WalWatchOptions {
  readonly db: Database;
  readonly path: string;
  /** Bytes above which the journal is too large. */
  readonly alertBytes: number;
  readonly logger: Logger;
}

interface CheckpointResult {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** Makes a {@link WalWatch}. */
export function createWalWatch({ db, path, alertBytes, logger }: WalWatchOptions): WalWatch {
  let alerted = false;
  const checkpoint = (mode: "PASSIVE" | "TRUNCATE"): CheckpointResult | undefined =>
    (db.pragma(`wal_checkpoint(${mode})`) as CheckpointResult[])[0];
  const setBlocked = (blocked: boolean, bytes: number): WalState => {
    if (blocked && !alerted) {
      logger.warn(
        { path, wal_bytes: bytes, alert_bytes: alertBytes },
        "a long read by another process keeps the store's journal from being emptied: end that read",
      );
    }
    if (!blocked && alerted) {
      logger.info({ path, wal_bytes: bytes }, "the store's journal can be emptied again");
    }
    alerted = blocked;
    return { bytes, blocked };
  };
  return {
    get blocked() {
      return alerted;
    },
    check() {
      const bytes = sizeOf(`${path}-wal`);
      if (bytes <= alertBytes) return setBlocked(false, bytes);
      const moved = checkpoint("PASSIVE");
      if (moved !== undefined && moved.checkpointed < moved.log) return setBlocked(true, bytes);
      const emptied = checkpoint("TRUNCATE");
      return setBlocked(emptied?.busy !== 0, sizeOf(`${path}-wal`));
    },
  };
}

/** Size of a file; 0 when there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
