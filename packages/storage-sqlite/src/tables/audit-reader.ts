import {
  type AuditFilter,
  type AuditRecord,
  pageLimit,
  type StoredAuditRecord,
  StoreError,
  wantedSubjects,
  wholeNumber,
} from "@colloquy/protocol";
import type { Database, Statement } from "better-sqlite3";

/** A row as it lies in the table. */
export interface AuditRow {
  readonly sequence: number;
  readonly prev: Buffer;
  readonly hash: Buffer;
  readonly record: string;
}

type Value = string | number;

/** The reading half of the audit table. Statements are prepared once per form of question. */
export function createAuditReader(db: Database): (filter: AuditFilter) => StoredAuditRecord[] {
  const prepared = new Map<string, Statement<Value[], AuditRow>>();
  const statement = (sql: string): Statement<Value[], AuditRow> => {
    const known = prepared.get(sql) ?? db.prepare<Value[], AuditRow>(sql);
    prepared.set(sql, known);
    return known;
  };
  return (filter) => {
    const limit = pageLimit(filter.limit);
    const isNewestFirst = filter.order === "newest";
    // Of one subject all kinds are looked through; otherwise one page per kind is read and merged,
    // so that the kinds that are not asked for cost nothing.
    const isOfSubject = wantedSubjects(filter).length > 0;
    const kinds = filter.kinds === undefined ? null : [...new Set(filter.kinds)];
    const groups = kinds === null ? [null] : isOfSubject ? [kinds] : kinds.map((kind) => [kind]);
    const rows = groups.flatMap((group) => {
      const { sql, values } = question(filter, group);
      return statement(sql).all(...values, limit);
    });
    rows.sort((a, b) => (isNewestFirst ? b.sequence - a.sequence : a.sequence - b.sequence));
    return rows.slice(0, limit).map(toRecord);
  };
}

function question(filter: AuditFilter, kinds: readonly string[] | null) {
  const [first, ...others] = wantedSubjects(filter);
  const values: Value[] = [];
  const conditions: string[] = [];
  const where = (condition: string, ...given: Value[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  // The subject's own index gives the order, so that a page costs a page.
  const place = first === undefined ? "audit.sequence" : "s.sequence";
  if (first !== undefined) where("s.subject = ?", first);
  for (const subject of others) {
    const tied = "SELECT 1 FROM audit_subject o WHERE o.subject = ? AND o.sequence = s.sequence";
    where(`EXISTS (${tied})`, subject);
  }
  where(`${place} > ?`, wholeNumber(filter.after, 0, 0, "after"));
  where(`${place} < ?`, wholeNumber(filter.before, 0, Number.MAX_SAFE_INTEGER, "before"));
  if (kinds !== null) where(`audit.kind IN (${kinds.map(() => "?").join(", ")})`, ...kinds);
  if (filter.from !== undefined) where("audit.at >= ?", filter.from);
  if (filter.to !== undefined) where("audit.at < ?", filter.to);
  const source =
    first === undefined
      ? "audit"
      : "audit_subject s CROSS JOIN audit ON audit.sequence = s.sequence";
  const order = filter.order === "newest" ? "DESC" : "ASC";
  const sql = `SELECT audit.sequence, prev, hash, record FROM ${source} WHERE ${conditions.join(
    " AND ",
  )} ORDER BY ${place} ${order} LIMIT ?`;
  return { sql, values };
}

function toRecord({ sequence, record, prev, hash }: AuditRow): StoredAuditRecord {
  const place = { sequence, prev_hash: prev.toString("hex"), hash: hash.toString("hex") };
  try {
    return { ...place, record: JSON.parse(record) as AuditRecord };
  } catch (cause) {
    throw new StoreError(`audit record ${sequence} is no JSON: the store was damaged or changed`, {
      cause,
      details: { sequence },
    });
  }
}
