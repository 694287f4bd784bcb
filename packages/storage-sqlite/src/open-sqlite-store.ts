import { hostname } from "node:os";
import { formatTimestamp, StoreError } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import { assembleStore } from "./assemble-store.js";
import { checkPath, refuseOtherNames } from "./file/check-path.js";
import { type ConnectOptions, configure, connect } from "./file/connect.js";
import { type OwnerLock, takeOwnership } from "./file/owner-lock.js";
import { storeFault } from "./file/store-fault.js";
import { findTornTail } from "./file/torn-tail.js";
import { createTransactor } from "./file/transactor.js";
import { type FilledOptions, fillOptions, type SqliteStoreOptions } from "./options.js";
import { readSchemaVersion } from "./schema/identify.js";
import { migrate } from "./schema/migrate.js";
import { MIGRATIONS } from "./schema/migrations.js";
import type { SqliteStore } from "./sqlite-store.js";

/**
 * Opens a store in one SQLite file, creates it when it is not there, and brings an older one up to
 * date.
 *
 * One process owns a store at a time; a second one is refused and told who the owner is. The lock
 * ends with the process, however that ends. Readers come and go as they like.
 *
 * @throws InvalidInputError for an option that cannot be
 * @throws StoreError when the file cannot be a store: held by another process, of another program,
 *   of a newer version, damaged, a folder, in a missing or unwritable folder; the message says which
 *   and how to mend it
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const filled = fillOptions(options);
  const checked = checkPath(filled.path, filled.readonly);
  const { path, hasContent } = checked;
  if (!filled.readonly) refuseOtherNames(checked);
  const target = { ...filled, path };
  let lock: OwnerLock | null = null;
  try {
    if (hasContent) identify(target);
    if (!target.readonly) {
      const since = formatTimestamp(target.clock.now());
      lock = takeOwnership(path, { pid: process.pid, host: hostname(), since });
    }
    return openFile(target, lock);
  } catch (error) {
    lock?.release();
    throw storeFault(error, "opening", path);
  }
}

/** Refuses a file that is not ours before anything is created beside it. */
function identify(options: ConnectOptions): void {
  const db = connect({ ...options, readonly: true });
  try {
    readSchemaVersion(db, options.path);
  } finally {
    db.close();
  }
}

function openFile(options: FilledOptions, lock: OwnerLock | null): SqliteStore {
  const db = connect(options);
  try {
    const version = readSchemaVersion(db, options.path);
    if (options.readonly) assertCurrent(version, options.path);
    configure(db, options);
    const transact = createTransactor(db);
    const { path, logger } = options;
    const torn = options.readonly ? null : findTornTail(db, path);
    if (torn !== null) logger.warn({ path }, torn);
    const migrated = options.readonly ? [] : migrate({ db, transact, path, logger });
    const repairs = torn === null ? migrated : [torn, ...migrated];
    return assembleStore({ db, transact, options, repairs, lock });
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
}

/** A reader changes nothing, so it cannot bring a store up to date. */
function assertCurrent(version: number, path: string): void {
  if (version === MIGRATIONS.length) return;
  throw new StoreError(
    version === 0
      ? `${path} holds no store yet: start a hub on it first`
      : `the store ${path} has schema version ${version}, older than version ${MIGRATIONS.length}: ` +
          "open it once without readonly to bring it up to date",
    { details: { path, reason: "older", version } },
  );
}

function closeQuietly(db: Database): void {
  try {
    db.close();
  } catch {
    // The error that led here says more.
  }
}
