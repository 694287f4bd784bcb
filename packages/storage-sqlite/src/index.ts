/** The store port kept in one SQLite file. */
export type { BackupProgress } from "./file/backup.js";
export type { Durability } from "./file/connect.js";
export { inspectStore, type StoreInspection } from "./file/inspect-store.js";
export type { Holder } from "./file/owner-lock.js";
export { openSqliteKnowledge, type SqliteKnowledgeOptions } from "./knowledge/sqlite-knowledge.js";
export { openSqliteStore } from "./open-sqlite-store.js";
export type { SqliteStoreOptions } from "./options.js";
export type { SqliteStore } from "./sqlite-store.js";
