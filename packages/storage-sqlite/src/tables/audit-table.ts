import { createHash } from "node:crypto";
import {
  type AuditFilter,
  type AuditRecord,
  auditChainText,
  auditSubjects,
  type StoredAuditRecord,
} from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import { type AuditRow, createAuditReader } from "./audit-reader.js";

/** Name of the mark that counts the bytes of all records. */
const AUDIT_BYTES = "audit_bytes";

/** An audit record that is ready to be written. */
export interface EncodedAudit {
  readonly kind: string;
  readonly at: string;
  readonly text: string;
  readonly subjects: readonly string[];
}

/** Serialises a record. Throws what `JSON.stringify` throws. */
export function encodeAudit(record: AuditRecord): EncodedAudit {
  const text = JSON.stringify(record);
  return { kind: record.kind, at: String(record.at), text, subjects: auditSubjects(record) };
}

/** Where the log ends. */
export interface AuditEnd {
  /** Bytes of all records. */
  readonly bytes: number;
  readonly sequence: number;
  readonly hash: Buffer;
}

/** The audit log: append-only but for what is pruned from its start, numbered from 1, chained. */
export interface AuditTable {
  /** As of the transactions that count. */
  readonly end: AuditEnd;
  /** Inside a transaction; what it returns counts once `written` is told of it. */
  append(records: readonly EncodedAudit[], from: AuditEnd): AuditEnd;
  /** Inside a transaction, as `append`: takes away the records up to a place. The newest stays. */
  prune(upTo: number, from: AuditEnd): AuditEnd;
  written(end: AuditEnd): void;
  read(filter: AuditFilter): StoredAuditRecord[];
}

/** Prepares an {@link AuditTable}. */
export function createAuditTable(db: Database): AuditTable {
  const insert = db.prepare(
    "INSERT INTO audit (sequence, kind, at, prev, hash, record) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const tie = db.prepare("INSERT INTO audit_subject (subject, sequence) VALUES (?, ?)");
  const untie = db.prepare("DELETE FROM audit_subject WHERE subject = ? AND sequence = ?");
  const upTo = db.prepare<[number], Pick<AuditRow, "sequence" | "record">>(
    "SELECT sequence, record FROM audit WHERE sequence <= ?",
  );
  const remove = db.prepare("DELETE FROM audit WHERE sequence <= ?");
  const putBytes = db.prepare(
    "INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  let end = readEnd(db);

  return {
    get end() {
      return end;
    },
    append(records, from) {
      if (records.length === 0) return from;
      let { bytes, sequence, hash } = from;
      for (const { kind, at, text, subjects } of records) {
        sequence += 1;
        const prev = hash;
        const chained = auditChainText(prev.toString("hex"), sequence, text);
        hash = createHash("sha256").update(chained).digest();
        insert.run(sequence, kind, at, prev, hash, text);
        for (const subject of subjects) tie.run(subject, sequence);
        bytes += Buffer.byteLength(text);
      }
      putBytes.run(AUDIT_BYTES, bytes);
      return { bytes, sequence, hash };
    },
    prune(asked, from) {
      const last = Math.min(asked, from.sequence - 1);
      let { bytes } = from;
      for (const { sequence, record } of upTo.all(last)) {
        bytes -= Buffer.byteLength(record);
        for (const subject of subjectsOf(record)) untie.run(subject, sequence);
      }
      remove.run(last);
      putBytes.run(AUDIT_BYTES, bytes);
      return { ...from, bytes };
    },
    written(next) {
      end = next;
    },
    read: createAuditReader(db),
  };
}

function readEnd(db: Database): AuditEnd {
  const mark = db.prepare<[string], { value: number }>("SELECT value FROM mark WHERE name = ?");
  const newest = db
    .prepare<[], Pick<AuditRow, "sequence" | "hash">>(
      "SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1",
    )
    .get();
  const bytes = mark.get(AUDIT_BYTES)?.value ?? 0;
  return { bytes, sequence: newest?.sequence ?? 0, hash: newest?.hash ?? Buffer.alloc(0) };
}

/** A record that cannot be read was tied to nothing. */
function subjectsOf(text: string): readonly string[] {
  try {
    return auditSubjects(JSON.parse(text) as AuditRecord);
  } catch {
    return [];
  }
}
