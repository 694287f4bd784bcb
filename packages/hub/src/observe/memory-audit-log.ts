import { createHash } from "node:crypto";
import {
  type AuditRecord,
  auditChainText,
  type Clock,
  formatTimestamp,
  matchesAudit,
  pageLimit,
  type StoredAuditRecord,
  wholeNumber,
} from "@colloquy/protocol";
import type { AuditLog } from "./audit-log.js";
import { createAuditSubscribers } from "./audit-subscribers.js";
import { auditText } from "./audit-text.js";

/** Options of {@link createMemoryAuditLog}. */
export interface MemoryAuditLogOptions {
  readonly clock: Clock;
  /** Records that are kept; beyond it the oldest go. Default 10,000. */
  readonly maxRecords?: number | undefined;
}

/** Makes an audit log that lives in memory, for a hub that is not to write one, and for tests. */
export function createMemoryAuditLog(options: MemoryAuditLogOptions): AuditLog {
  const { clock, maxRecords = 10_000 } = options;
  const subscribers = createAuditSubscribers();
  const kept: StoredAuditRecord[] = [];
  let bytesWritten = 0;
  let sequence = 0;
  let prev_hash = "";
  return {
    get bytesWritten() {
      return bytesWritten;
    },
    append(entry) {
      const text = auditText({ at: formatTimestamp(clock.now()), ...entry });
      sequence += 1;
      const hash = createHash("sha256")
        .update(auditChainText(prev_hash, sequence, text))
        .digest("hex");
      const record = JSON.parse(text) as AuditRecord;
      kept.push({ sequence, record, prev_hash, hash });
      if (kept.length > maxRecords) kept.shift();
      prev_hash = hash;
      bytesWritten += Buffer.byteLength(text);
      subscribers.tell(record);
    },
    readAll: async () => kept.map(({ record }) => record),
    async query(filter = {}) {
      const limit = pageLimit(filter.limit);
      const after = wholeNumber(filter.after, 0, 0, "after");
      const before = wholeNumber(filter.before, 0, Number.MAX_SAFE_INTEGER, "before");
      const found = kept.filter(
        (stored) =>
          stored.sequence > after &&
          stored.sequence < before &&
          matchesAudit(stored.record, filter),
      );
      if (filter.order === "newest") found.reverse();
      const records = found.slice(0, limit);
      const isWhole = records.length < limit;
      return { records, next: isWhole ? null : (records.at(-1)?.sequence ?? null) };
    },
    subscribe: subscribers.add,
  };
}
