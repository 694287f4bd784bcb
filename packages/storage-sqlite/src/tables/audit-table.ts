import type { AuditFilter, AuditRecord, StoredAuditRecord } from "@colloquy/protocol";
import { pageLimit, wholeNumber } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";

/** Name of the mark that counts the bytes of all records. */
const AUDIT_BYTES = "audit_bytes";

/** An audit record that is ready to be written. */
export interface EncodedAudit {
  readonly kind: string;
  readonly text: string;
}

/** The audit log: append-only, numbered from 1. */
export interface AuditTable {
  /** Bytes of all records that are written. */
  readonly bytes: number;
  /** Inside a transaction; returns the new `bytes`, which count once `written` is told of them. */
  append(records: readonly EncodedAudit[]): number;
  written(bytes: number): void;
  read(filter: AuditFilter): StoredAuditRecord[];
}

interface AuditRow {
  readonly sequence: number;
  readonly record: string;
}

/** Prepares an {@link AuditTable}. */
export function createAuditTable(db: Database): AuditTable {
  const insert = db.prepare("INSERT INTO audit (kind, record) VALUES (?, ?)");
  const putBytes = db.prepare(
    "INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  const page = db.prepare<[number, number], AuditRow>(
    "SELECT sequence, record FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?",
  );
  const pageOfKind = db.prepare<[string, number, number], AuditRow>(
    "SELECT sequence, record FROM audit WHERE kind = ? AND sequence > ? ORDER BY sequence LIMIT ?",
  );
  let bytes =
    db
      .prepare<[string], { value: number }>("SELECT value FROM mark WHERE name = ?")
      .get(AUDIT_BYTES)?.value ?? 0;
  return {
    get bytes() {
      return bytes;
    },
    append(records) {
      if (records.length === 0) return bytes;
      let total = bytes;
      for (const { kind, text } of records) {
        insert.run(kind, text);
        total += Buffer.byteLength(text);
      }
      putBytes.run(AUDIT_BYTES, total);
      return total;
    },
    written(total) {
      bytes = total;
    },
    read(filter) {
      const limit = pageLimit(filter.limit);
      const after = wholeNumber(filter.after, 0, 0, "after");
      if (filter.kinds === undefined) return page.all(after, limit).map(toRecord);
      // One page per kind, merged, so that the kinds that are not asked for cost nothing.
      return [...new Set(filter.kinds)]
        .flatMap((kind) => pageOfKind.all(kind, after, limit))
        .sort((a, b) => a.sequence - b.sequence)
        .slice(0, limit)
        .map(toRecord);
    },
  };
}

function toRecord({ sequence, record }: AuditRow): StoredAuditRecord {
  return { sequence, record: JSON.parse(record) as AuditRecord };
}
