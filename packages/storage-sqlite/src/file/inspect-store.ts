import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { checkPath } from "./check-path.js";
import type { Holder } from "./owner-lock.js";
import { isBusy, storeFault } from "./store-fault.js";

/** Problems that are listed at most. */
const MAX_PROBLEMS = 20;
/** Milliseconds to wait for somebody who is just writing the lock's record. */
const WAIT_MS = 1_000;

/** What {@link inspectStore} found. */
export interface StoreInspection {
  /** What is wrong with the file's structure, in SQLite's words; empty when it is sound. */
  readonly problems: readonly string[];
  /** Who holds the store; null when nobody does. */
  readonly holder: Holder | null;
}

/**
 * Looks at a store's file from beside, while its owner may be at work: is its structure sound, and
 * who holds it? The check reads the whole file once.
 *
 * @param path - the store's file
 * @throws StoreError when there is no such file or it cannot be read at all
 */
export async function inspectStore(path: string): Promise<StoreInspection> {
  const checked = checkPath(path, true);
  try {
    return { problems: findProblems(checked.path), holder: findHolder(`${checked.path}-lock`) };
  } catch (error) {
    throw storeFault(error, "inspecting", path);
  }
}

function findProblems(path: string): string[] {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: WAIT_MS });
  try {
    const rows = db.pragma(`quick_check(${MAX_PROBLEMS})`) as { quick_check: string }[];
    return rows.map((row) => row.quick_check).filter((line) => line !== "ok");
  } catch (error) {
    // So damaged that the check itself cannot go on.
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_CORRUPT")) {
      return [error.message];
    }
    throw error;
  } finally {
    db.close();
  }
}

/** The record names the last holder; whether it still holds, only the lock itself tells. */
function findHolder(lockPath: string): Holder | null {
  if (!existsSync(lockPath)) return null;
  const db = new Database(lockPath, { fileMustExist: true, timeout: 0 });
  try {
    if (takesLock(db)) return null;
    db.pragma(`busy_timeout = ${WAIT_MS}`);
    const holder = db.prepare("SELECT pid, host, since FROM holder").get() as Holder | undefined;
    return holder ?? null;
  } finally {
    db.close();
  }
}

function takesLock(db: Database.Database): boolean {
  try {
    db.exec("BEGIN IMMEDIATE");
    db.exec("ROLLBACK");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
