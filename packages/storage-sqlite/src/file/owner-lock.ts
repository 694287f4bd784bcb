import { StoreError } from "@colloquy/protocol";
import Database from "better-sqlite3";
import { isBusy, storeFault } from "./store-fault.js";

/** Milliseconds to wait for somebody who is just reading the lock's record. */
const RECORD_WAIT_MS = 1_000;
/** Milliseconds to wait for the lock itself: somebody may just be trying whether it is free. */
const LOCK_WAIT_MS = 250;

/** Who holds a store. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO time of the opening. */
  readonly since: string;
}

/** A store that is held. */
export interface OwnerLock {
  /** Lets go; harmless when repeated. */
  release(): void;
}

/**
 * Makes this process the only owner of a store, for as long as it lives or until `release`.
 *
 * The lock is an open write transaction on a small database beside the store, `<path>-lock`. The
 * operating system drops it with the process, however that ends, so nothing has to be cleaned up and
 * a reused process number means nothing. The record in it only names the holder.
 *
 * @param path - the store's file
 * @param holder - what others are told
 * @throws StoreError that names the holder when there is one
 */
export function takeOwnership(path: string, holder: Holder): OwnerLock {
  const lockPath = `${path}-lock`;
  const db = openLock(path, lockPath);
  try {
    hold(db);
    db.exec(
      "CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, since TEXT) STRICT; DELETE FROM holder",
    );
    db.prepare("INSERT INTO holder VALUES (:pid, :host, :since)").run(holder);
    db.exec("COMMIT");
    hold(db);
    return { release: () => void db.close() };
  } catch (error) {
    const refusal = isBusy(error) ? heldError(path, readHolder(db)) : lockFault(error, lockPath);
    db.close();
    throw refusal;
  }
}

function openLock(path: string, lockPath: string): Database.Database {
  try {
    return new Database(lockPath, { timeout: RECORD_WAIT_MS });
  } catch (error) {
    throw storeFault(error, `taking the lock ${lockPath} of`, path);
  }
}

/** The write lock of an ordinary journal lets others read, so that they can learn who holds it. */
function hold(db: Database.Database): void {
  db.pragma(`busy_timeout = ${LOCK_WAIT_MS}`);
  db.exec("BEGIN IMMEDIATE");
  db.pragma(`busy_timeout = ${RECORD_WAIT_MS}`);
}

function readHolder(db: Database.Database): Holder | null {
  try {
    if (db.inTransaction) db.exec("ROLLBACK");
    return (db.prepare("SELECT pid, host, since FROM holder").get() as Holder | undefined) ?? null;
  } catch {
    return null;
  }
}

function heldError(path: string, holder: Holder | null): StoreError {
  const who =
    holder === null
      ? "another process"
      : `process ${holder.pid} on host ${holder.host} since ${holder.since}`;
  return new StoreError(
    `the store ${path} is held by ${who}: stop that process first, use another file, or only read it (readonly: true)`,
    { details: { path, reason: "held", ...holder } },
  );
}

function lockFault(error: unknown, lockPath: string): StoreError {
  const fault = storeFault(error, "taking the lock of", lockPath.slice(0, -"-lock".length));
  return new StoreError(
    `${fault.message} (the lock is ${lockPath}; remove it if it is damaged and no hub runs)`,
    { cause: error, details: fault.details ?? {} },
  );
}
