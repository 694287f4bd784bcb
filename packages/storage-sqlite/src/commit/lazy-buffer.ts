import type { DeliveryRecord, RecordWrite, Snapshot } from "@colloquy/protocol";
import type { EncodedAudit } from "../tables/audit-table.js";
import type { EncodedLazy } from "./encode-batch.js";

/** The lazy part that waits to be written: per agent and channel, per channel, and per record, only the newest. */
export interface LazyBuffer {
  /** Entries that wait. */
  readonly size: number;
  readonly deliveries: Iterable<DeliveryRecord>;
  readonly audit: readonly EncodedAudit[];
  /** Place up to which audit records are to be taken away; 0 for none. */
  readonly pruneAuditTo: number;
  readonly snapshots: Iterable<Snapshot>;
  readonly records: Iterable<RecordWrite>;
  add(lazy: EncodedLazy): void;
  /** Drops what waits of these agents and channels, and of these records: newer ones have been written. */
  supersede(deliveries: readonly DeliveryRecord[], records: readonly RecordWrite[]): void;
  clear(): void;
}

/** Makes an empty {@link LazyBuffer}. */
export function createLazyBuffer(): LazyBuffer {
  const deliveries = new Map<string, DeliveryRecord>();
  const snapshots = new Map<string, Snapshot>();
  const records = new Map<string, RecordWrite>();
  let audit: EncodedAudit[] = [];
  let pruneAuditTo = 0;
  return {
    get size() {
      const entries = deliveries.size + snapshots.size + records.size + audit.length;
      return entries + (pruneAuditTo > 0 ? 1 : 0);
    },
    get deliveries() {
      return deliveries.values();
    },
    get audit() {
      return audit;
    },
    get pruneAuditTo() {
      return pruneAuditTo;
    },
    get snapshots() {
      return snapshots.values();
    },
    get records() {
      return records.values();
    },
    add(lazy) {
      for (const delivery of lazy.deliveries) {
        deliveries.set(keyOf(delivery), delivery);
      }
      for (const snapshot of lazy.snapshots) snapshots.set(snapshot.channel_id, snapshot);
      for (const record of lazy.records) records.set(`${record.kind} ${record.id}`, record);
      for (const record of lazy.audit) audit.push(record);
      pruneAuditTo = Math.max(pruneAuditTo, lazy.pruneAuditTo);
    },
    supersede(written, writtenRecords) {
      for (const delivery of written) deliveries.delete(keyOf(delivery));
      if (records.size === 0) return;
      for (const { kind, id } of writtenRecords) records.delete(`${kind} ${id}`);
    },
    clear() {
      deliveries.clear();
      snapshots.clear();
      records.clear();
      audit = [];
      pruneAuditTo = 0;
    },
  };
}

function keyOf({ channel_id, agent_id }: DeliveryRecord): string {
  return `${channel_id}\n${agent_id}`;
}
