import {
  type Logger,
  type Store,
  StoreError,
  type StoreHealth,
  type TextPage,
  type TextSearch,
} from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import type { Committer } from "./commit/committer.js";
import { type BackupProgress, backUp } from "./file/backup.js";
import type { Durability } from "./file/connect.js";
import { freeBytesOf } from "./file/free-bytes.js";
import { storeFault } from "./file/store-fault.js";
import { sizeOf, type WalWatch } from "./file/wal-watch.js";
import type { HeadIndex } from "./log/head-index.js";
import type { LogReader } from "./log/log-reader.js";
import { createReads } from "./reads.js";
import { recover } from "./recovery/recover.js";
import type { Tables } from "./tables/tables.js";

/** A store in one SQLite file. */
export interface SqliteStore extends Store {
  /** The file, absolute. */
  readonly path: string;
  /**
   * Copies the store while it is in use. The copy is a whole store as of one moment not before the
   * call, and appears under its name only when it is complete.
   *
   * A reader (`readonly: true`) copies in one go and reports no progress.
   *
   * @param path - of the copy; nothing may be there yet
   * @param onProgress - called between steps
   * @throws StoreError when the copy cannot be written; nothing is left there then
   */
  backupTo(path: string, onProgress?: (progress: BackupProgress) => void): Promise<void>;
}

/** What a {@link SqliteStore} is made of. */
export interface StoreParts {
  readonly path: string;
  readonly durability: Durability;
  readonly db: Database;
  readonly index: HeadIndex;
  readonly tables: Tables;
  readonly log: LogReader;
  /** Inside one state of the database. */
  search(search: TextSearch): TextPage;
  /** Null for a reader. */
  readonly committer: Committer | null;
  readonly wal: WalWatch | null;
  readonly logger: Logger;
  readonly repairs: readonly string[];
  /** Facts that do not change, for health. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Runs reads on one state of the database that has every commit so far. */
  snapshot<T>(work: () => T): T;
  /** Closes files and gives up the lock. */
  dispose(): void;
}

/** Puts a store together. */
export function createSqliteStore(parts: StoreParts): SqliteStore {
  const { path, committer, db, tables } = parts;
  let closing: Promise<void> | null = null;

  const assertOpen = (): void => {
    if (closing !== null) throw new StoreError(`the store ${path} is closed`);
  };
  const reading = <T>(work: () => T): T => {
    assertOpen();
    try {
      return parts.snapshot(work);
    } catch (error) {
      throw storeFault(error, "reading", path);
    }
  };
  const flush = async (): Promise<void> => {
    assertOpen();
    await committer?.flush();
  };
  const end = async (): Promise<void> => {
    try {
      await committer?.close();
    } finally {
      parts.dispose();
    }
  };
  const health = (): StoreHealth => {
    const reason = closing === null ? (committer?.failure ?? "") : `the store ${path} is closed`;
    const walBytes = sizeOf(`${path}-wal`);
    return {
      healthy: reason === "",
      reason,
      bytes: sizeOf(path) + walBytes,
      audit_bytes: tables.audit.end.bytes,
      free_bytes: freeBytesOf(path),
      details: {
        ...parts.facts,
        wal_bytes: walBytes,
        checkpoint_blocked: parts.wal?.blocked ?? false,
        lazy_waiting: committer?.waiting ?? 0,
      },
    };
  };

  return {
    path,
    durability: parts.durability,
    blocks: true,
    async recover() {
      await flush();
      return recover({ ...parts, reading });
    },
    async commit(batch) {
      assertOpen();
      if (committer === null) {
        throw new StoreError(
          `the store ${path} was opened with readonly: true; nothing is written`,
        );
      }
      await committer.commit(batch);
    },
    ...createReads({ ...parts, reading, flush }),
    health,
    async backupTo(target, onProgress = () => undefined) {
      await flush();
      await backUp({ db, path, atOnce: committer === null }, target, onProgress);
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}
