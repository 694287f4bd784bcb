import type { AuditFilter, AuditMatch, AuditRecord, StoredAuditRecord } from "@colloquy/protocol";

/** A record before its time is stamped. One that brings its own `at` keeps it. */
export interface AuditEntry {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** Part of an audit log, in the order that was asked for. */
export interface AuditPage {
  readonly records: readonly StoredAuditRecord[];
  /** `after` of the next page, or with `newest` first `before` of it; null when there is no more. */
  readonly next: number | null;
}

/** A record that is committed together with what it describes. */
export interface StagedAudit {
  /** Belongs into the same commit. */
  readonly record: AuditRecord;
  /** To be called once that is durable: tells subscribers. */
  committed(): void;
}

/** Append-only record of what was decided and done, read by operators. */
export interface AuditLog {
  /** Adds a record; `at` is stamped. Written lazily, in order. The set of kinds is open. */
  append(record: AuditEntry): void;
  /**
   * Prepares a record for the commit of what it describes. A log that keeps its records elsewhere
   * leaves this out; it gets them by `append` after the commit.
   */
  stage?(record: AuditEntry): StagedAudit;
  /**
   * All records, oldest first; what is waiting is written first. While the store fails, what it has
   * not taken is left out.
   */
  readAll(): Promise<readonly AuditRecord[]>;
  /** One page of the records that match; what is waiting is written first. */
  query(filter?: AuditFilter): Promise<AuditPage>;
  /** Live records that match, all by default; returns how to stop. */
  subscribe(callback: (record: AuditRecord) => void, match?: AuditMatch): () => void;
  /** Bytes of JSON appended by this process. */
  readonly bytesWritten: number;
}

/** What rides with a commit to have a record of it. */
export interface AuditedWork {
  readonly audit?: readonly AuditRecord[];
  /** To be called once it is durable. */
  committed(): void;
}

/** Prepares a record of something that is about to be committed, whichever log is in force. */
export function auditedWork(log: AuditLog, record: AuditEntry): AuditedWork {
  const staged = log.stage?.(record);
  if (staged === undefined) return { committed: () => log.append(record) };
  return { audit: [staged.record], committed: staged.committed };
}
