import type { Database } from "better-sqlite3";
import { VERSION_1 } from "./version-1.js";
import { applyVersion2 } from "./version-2.js";
import { VERSION_3 } from "./version-3.js";

/** Marks a database file as Colloquy's: the bytes "Cllq". */
export const APPLICATION_ID = 0x43_6c_6c_71;

/** One step from a schema version to the next. */
export interface Migration {
  /** What changes, for the log. */
  readonly title: string;
  /** Runs inside a transaction of its own, together with the new version number. */
  apply(db: Database): void;
}

/** Step `i` leads from version `i` to version `i + 1`; version 0 is an empty file. */
export const MIGRATIONS: readonly Migration[] = [
  { title: "create the tables", apply: (db) => void db.exec(VERSION_1) },
  { title: "chain and index the audit log", apply: applyVersion2 },
  { title: "make room for an index of what was said", apply: (db) => void db.exec(VERSION_3) },
];
