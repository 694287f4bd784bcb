import {
  type AuditRecord,
  type Clock,
  formatTimestamp,
  pageLimit,
  type Store,
} from "@colloquy/protocol";
import type { Committer } from "../commit/committer.js";
import type { AuditEntry, AuditLog } from "./audit-log.js";
import { createAuditSubscribers } from "./audit-subscribers.js";
import { auditText } from "./audit-text.js";

/** What {@link createAuditLog} works on. */
export interface AuditLogPorts {
  readonly clock: Clock;
  readonly committer: Pick<Committer, "lazily" | "flush">;
  readonly store: Pick<Store, "readAudit">;
}

/** Most records of one read of the store. */
const PAGE = 1_000;

/**
 * Makes the audit log of a hub, kept in the hub's store.
 *
 * A record is kept as JSON would keep it; what JSON cannot say becomes text. One that brings its
 * own `at` keeps it. Subscribers are called at once, in order; one that throws hurts nobody.
 * Reads write what is waiting first, and reject with `StoreError` when the store cannot be read.
 */
export function createAuditLog({ clock, committer, store }: AuditLogPorts): AuditLog {
  const subscribers = createAuditSubscribers();
  let bytesWritten = 0;
  const seal = (entry: AuditEntry) => {
    const text = auditText({ at: formatTimestamp(clock.now()), ...entry });
    const record = JSON.parse(text) as AuditRecord;
    const tell = (): void => {
      bytesWritten += Buffer.byteLength(text);
      subscribers.tell(record);
    };
    return { record, tell };
  };
  return {
    get bytesWritten() {
      return bytesWritten;
    },
    append(entry) {
      const { record, tell } = seal(entry);
      committer.lazily({ audit: [record] });
      tell();
    },
    stage(entry) {
      const { record, tell } = seal(entry);
      return { record, committed: tell };
    },
    async readAll() {
      await committer.flush();
      const records: AuditRecord[] = [];
      for (let after = 0; ; ) {
        const page = await store.readAudit({ after, limit: PAGE });
        for (const { record } of page) records.push(record);
        const last = page.at(-1);
        if (last === undefined) return records;
        after = last.sequence;
      }
    },
    async query(filter = {}) {
      await committer.flush();
      const records = await store.readAudit(filter);
      const isWhole = records.length < pageLimit(filter.limit);
      return { records, next: isWhole ? null : (records.at(-1)?.sequence ?? null) };
    },
    subscribe: subscribers.add,
  };
}
