import { type AuditRecord, type Clock, formatTimestamp, type Store } from "@colloquy/protocol";
import type { Committer } from "../commit/committer.js";
import type { AuditLog } from "./audit-log.js";
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
 * Makes the audit log of a hub.
 *
 * A record is kept as JSON would keep it; what JSON cannot say becomes text. One that brings its
 * own `at` keeps it. Subscribers are called at once, in order; one that throws hurts nobody.
 * `readAll` writes what is waiting before it reads, and rejects with `StoreError` when it cannot read.
 */
export function createAuditLog({ clock, committer, store }: AuditLogPorts): AuditLog {
  let subscribers: readonly ((record: AuditRecord) => void)[] = [];
  let bytesWritten = 0;
  return {
    get bytesWritten() {
      return bytesWritten;
    },
    append(record) {
      const text = auditText({ at: formatTimestamp(clock.now()), ...record });
      const kept = JSON.parse(text) as AuditRecord;
      bytesWritten += Buffer.byteLength(text);
      committer.lazily({ audit: [kept] });
      for (const callback of subscribers) {
        try {
          callback(kept);
        } catch {
          // The log is what counts; a subscriber's fault is its own.
        }
      }
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
    subscribe(callback) {
      const own = (record: AuditRecord): void => callback(record);
      subscribers = [...subscribers, own];
      return () => {
        subscribers = subscribers.filter((other) => other !== own);
      };
    },
  };
}
