import type { AuditRecord } from "@colloquy/protocol";

/** Append-only record of what was decided and done, read by operators. */
export interface AuditLog {
  /** Adds a record; `at` is stamped. Written lazily, in order. The set of kinds is open. */
  append(record: { readonly kind: string; readonly [field: string]: unknown }): void;
  /**
   * All records, oldest first; what is waiting is written first. While the store fails, what it has
   * not taken is left out.
   */
  readAll(): Promise<readonly AuditRecord[]>;
  /** Live records; returns how to stop. */
  subscribe(callback: (record: AuditRecord) => void): () => void;
  /** Bytes of JSON appended by this process. */
  readonly bytesWritten: number;
}
