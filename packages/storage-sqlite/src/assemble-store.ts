import type { Database } from "better-sqlite3";
import { createBatchWriter } from "./commit/batch-writer.js";
import { type Committer, createCommitter } from "./commit/committer.js";
import { createLazyBuffer } from "./commit/lazy-buffer.js";
import { limitBlocking, setDurability } from "./file/connect.js";
import type { OwnerLock } from "./file/owner-lock.js";
import type { Transactor } from "./file/transactor.js";
import { createWalWatch, type WalWatch } from "./file/wal-watch.js";
import { createLogWriter } from "./log/append-log.js";
import { createHeadIndex, type HeadIndex } from "./log/head-index.js";
import { createLogReader } from "./log/log-reader.js";
import type { FilledOptions } from "./options.js";
import { MIGRATIONS } from "./schema/migrations.js";
import { createTextFiller, type TextFiller } from "./search/text-filler.js";
import { createTextIndex, type TextIndex } from "./search/text-index.js";
import { createTextSearcher } from "./search/text-searcher.js";
import { createSqliteStore, type SqliteStore } from "./sqlite-store.js";
import { createTables, type Tables } from "./tables/tables.js";

/** An open, current database and what belongs to it. */
export interface OpenFile {
  readonly db: Database;
  readonly transact: Transactor;
  readonly options: FilledOptions;
  readonly repairs: readonly string[];
  readonly lock: OwnerLock | null;
}

/** Builds the store on an open database. */
export function assembleStore(file: OpenFile): SqliteStore {
  const { db, transact, options, lock } = file;
  const tables = createTables(db);
  const index = transact.read(() => createHeadIndex(db));
  limitBlocking(db);
  const text = createTextIndex(db);
  const log = createLogReader(db, index);
  const writing = options.readonly ? null : createWriting(file, { tables, index, text });
  return createSqliteStore({
    path: options.path,
    durability: options.durability,
    db,
    index,
    tables,
    log,
    search: createTextSearcher({
      log,
      heads: index,
      text,
      onBehind: () => writing?.filler.wake(),
      onDamage: (error) => writing?.filler.rebuild(error),
    }),
    committer: writing?.committer ?? null,
    wal: writing?.wal ?? null,
    logger: options.logger,
    repairs: [...file.repairs, ...index.repairs],
    facts: {
      path: options.path,
      readonly: options.readonly,
      schema_version: MIGRATIONS.length,
    },
    snapshot: options.readonly
      ? (work) =>
          transact.read(() => {
            index.catchUp();
            return work();
          })
      : (work) => work(),
    dispose() {
      writing?.filler.close();
      db.close();
      lock?.release();
    },
  });
}

interface Writing {
  readonly committer: Committer;
  readonly wal: WalWatch;
  readonly filler: TextFiller;
}

interface Written {
  readonly tables: Tables;
  readonly index: HeadIndex;
  readonly text: TextIndex;
}

function createWriting(file: OpenFile, { tables, index, text }: Written): Writing {
  const { db, transact, options } = file;
  const waiting = createLazyBuffer();
  const log = createLogWriter(db, index, options.anchorEvery);
  const wal = createWalWatch({
    db,
    path: options.path,
    alertBytes: options.walAlertBytes,
    logger: options.logger,
  });
  const relaxed = (work: () => void): void => {
    if (options.durability === "sync") setDurability(db, "os");
    try {
      work();
    } finally {
      setDurability(db, options.durability);
    }
  };
  const committer = createCommitter({
    writer: createBatchWriter({ transact, index, tables, log, waiting }),
    waiting,
    relaxed,
    tidy: () => wal.check().blocked,
    ...options,
  });
  if (text.isStale) transact.write(() => text.reset());
  const filler = createTextFiller({ text, transact, relaxed, ...options });
  return { committer, wal, filler };
}
