import { StoreError } from "@colloquy/protocol";
import Database from "better-sqlite3";

/** Milliseconds that a call may block the thread for a lock; longer waits are spent on timers. */
const SHORT_WAIT_MS = 20;
/** Fits the disk's pages; measured no worse than any other. */
const PAGE_BYTES = 4_096;
/** Pages in the journal after which SQLite moves them into the database. */
const AUTOCHECKPOINT_PAGES = 1_000;

/** What survives once a commit has resolved: power loss, or only a killed process. */
export type Durability = "sync" | "os";

/** What {@link connect} needs to know. */
export interface ConnectOptions {
  readonly path: string;
  readonly readonly: boolean;
  readonly durability: Durability;
  /** Milliseconds that opening waits for locks. */
  readonly busyTimeoutMs: number;
}

const SYNCHRONOUS = { sync: "FULL", os: "NORMAL" } as const;

/**
 * Opens a connection without touching what is in the file.
 *
 * @throws what the driver throws
 */
export function connect({ path, readonly, busyTimeoutMs }: ConnectOptions): Database.Database {
  const db = new Database(path, { readonly, fileMustExist: readonly, timeout: busyTimeoutMs });
  // Reads the header, so that a file that is no database fails here.
  db.pragma("schema_version");
  return db;
}

/**
 * Sets what a connection needs for work, once the file is known to be ours or empty.
 *
 * @throws StoreError when the file system cannot hold a write-ahead journal
 */
export function configure(db: Database.Database, options: ConnectOptions): void {
  if (!options.readonly) {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    const mode = db.pragma("journal_mode = WAL", { simple: true });
    if (mode !== "wal") {
      throw new StoreError(
        `the store ${options.path} cannot use a write-ahead journal here (got ${String(mode)}): ` +
          "put it on a local disk",
        { details: { path: options.path } },
      );
    }
    db.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
    db.pragma("fullfsync = ON");
    db.pragma("checkpoint_fullfsync = ON");
    setDurability(db, options.durability);
  }
}

/** Ends the phase of opening: from now on no call blocks the thread for long. */
export function limitBlocking(db: Database.Database): void {
  db.pragma(`busy_timeout = ${SHORT_WAIT_MS}`);
}

/** Sets what the next commits survive. Not inside a transaction. */
export function setDurability(db: Database.Database, durability: Durability): void {
  db.exec(`PRAGMA synchronous = ${SYNCHRONOUS[durability]}`);
}
