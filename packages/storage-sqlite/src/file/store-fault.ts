import { NetworkError, StoreError } from "@colloquy/protocol";
import Database from "better-sqlite3";

/** What a SQLite code means to the person who has to mend it. */
interface Explanation {
  readonly prefix: string;
  readonly meaning: string;
  /** True when the same call may work later without anybody touching the file. */
  readonly retryable: boolean;
}

// The first prefix that fits counts, so longer ones stand before shorter ones.
const EXPLANATIONS: readonly Explanation[] = [
  {
    prefix: "SQLITE_FULL",
    meaning: "there is no space left: free some on its disk",
    retryable: true,
  },
  {
    prefix: "SQLITE_BUSY",
    meaning: "another process holds its lock: end that process's transaction, or retry",
    retryable: true,
  },
  { prefix: "SQLITE_LOCKED", meaning: "another connection holds its lock: retry", retryable: true },
  {
    prefix: "SQLITE_NOTADB",
    meaning: "it is no SQLite database: check the path, or restore a backup",
    retryable: false,
  },
  {
    prefix: "SQLITE_CORRUPT",
    meaning:
      "the file is damaged or cut short: restore a backup, or salvage it with the sqlite3 tool's .recover",
    retryable: false,
  },
  {
    prefix: "SQLITE_READONLY",
    meaning: "it may not be written: check the rights of the file and of its folder",
    retryable: false,
  },
  {
    prefix: "SQLITE_CANTOPEN",
    meaning: "it cannot be opened: check that the folder exists and may be read and written",
    retryable: false,
  },
  {
    prefix: "SQLITE_PERM",
    meaning: "access is denied: check the rights of the file and of its folder",
    retryable: false,
  },
  {
    prefix: "SQLITE_IOERR",
    meaning: "the disk reported an error: check the disk and the system's log",
    retryable: true,
  },
  {
    prefix: "SQLITE_CONSTRAINT",
    meaning: "what is stored contradicts it: was the file changed by another program?",
    retryable: false,
  },
];

/** True for SQLite's answer that somebody else holds a lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** True when the error says that what is stored contradicts itself, rather than that reading failed. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Database.SqliteError ? error.code : "";
  return code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB");
}

/**
 * Turns whatever went wrong into a `StoreError` that says what was being done, to which file, what
 * is wrong with it and how to mend it. Errors of the network's own family pass as they are.
 *
 * `details.outcome` is `none` when nothing was written, `unknown` when the disk failed in the
 * middle of a commit, so that only reopening tells.
 *
 * @param error - what was thrown
 * @param doing - for example `committing to`
 * @param path - the database file
 */
export function storeFault(error: unknown, doing: string, path: string): NetworkError {
  if (error instanceof NetworkError) return error;
  const code = error instanceof Database.SqliteError ? error.code : "";
  const known = EXPLANATIONS.find(({ prefix }) => code.startsWith(prefix));
  const text = error instanceof Error ? error.message : String(error);
  return new StoreError(`${doing} the store ${path} failed: ${known?.meaning ?? text}`, {
    cause: error,
    details: {
      path,
      sqlite_code: code,
      retryable: known?.retryable ?? false,
      outcome: code.startsWith("SQLITE_IOERR") ? "unknown" : "none",
    },
  });
}
