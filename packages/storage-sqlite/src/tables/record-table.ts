import type { RecordKind, RecordWrite, StoredRecord } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";

/** Records by kind and id. */
export interface RecordTable {
  /** Inside a transaction. */
  write(record: RecordWrite): void;
  read(kind: RecordKind, id: string): string | null;
  list(kind: RecordKind, after: string, limit: number): StoredRecord[];
  /** All records of a kind. */
  all(kind: RecordKind): StoredRecord[];
}

/** Prepares a {@link RecordTable}. */
export function createRecordTable(db: Database): RecordTable {
  const upsert = db.prepare(
    `INSERT INTO record (kind, id, value) VALUES (?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value`,
  );
  const remove = db.prepare("DELETE FROM record WHERE kind = ? AND id = ?");
  const select = db.prepare<[string, string], { value: string }>(
    "SELECT value FROM record WHERE kind = ? AND id = ?",
  );
  const page = db.prepare<[string, string, number], StoredRecord>(
    "SELECT kind, id, value FROM record WHERE kind = ? AND id > ? ORDER BY id LIMIT ?",
  );
  return {
    write({ kind, id, value }) {
      if (value === null) remove.run(kind, id);
      else upsert.run(kind, id, value);
    },
    read: (kind, id) => select.get(kind, id)?.value ?? null,
    list: (kind, after, limit) => page.all(kind, after, limit),
    all: (kind) => page.all(kind, "", -1),
  };
}
