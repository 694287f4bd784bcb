import { createHash } from "node:crypto";
import { type AuditRecord, auditChainText, auditSubjects } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";

const TABLES = `
ALTER TABLE audit ADD COLUMN at TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN prev BLOB NOT NULL DEFAULT x'';
ALTER TABLE audit ADD COLUMN hash BLOB NOT NULL DEFAULT x'';
CREATE INDEX audit_at ON audit (at);
CREATE TABLE audit_subject (
  subject TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (subject, sequence)
) STRICT, WITHOUT ROWID;
`;

/**
 * Schema version 2: the audit log is a hash chain, and is found by time and by what it is about.
 *
 * Each record of a version 1 store gets its place in the chain as it is now. One whose JSON cannot
 * be read is chained as it stands, and found by nothing but its kind and place.
 */
export function applyVersion2(db: Database): void {
  db.exec(TABLES);
  const page = db.prepare<[number], { sequence: number; record: string }>(
    "SELECT sequence, record FROM audit WHERE sequence > ? ORDER BY sequence LIMIT 1000",
  );
  const put = db.prepare("UPDATE audit SET at = ?, prev = ?, hash = ? WHERE sequence = ?");
  const tie = db.prepare("INSERT INTO audit_subject (subject, sequence) VALUES (?, ?)");
  let prev: Buffer = Buffer.alloc(0);
  for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.sequence ?? 0)) {
    for (const { sequence, record: text } of rows) {
      const chained = auditChainText(prev.toString("hex"), sequence, text);
      const hash = createHash("sha256").update(chained).digest();
      const record = parse(text);
      put.run(String(record?.at ?? ""), prev, hash, sequence);
      for (const subject of record === null ? [] : auditSubjects(record))
        tie.run(subject, sequence);
      prev = hash;
    }
  }
}

function parse(text: string): AuditRecord | null {
  try {
    return JSON.parse(text) as AuditRecord;
  } catch {
    return null;
  }
}
