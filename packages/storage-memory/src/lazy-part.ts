import type {
  AuditRecord,
  DeliveryRecord,
  RecordWrite,
  Snapshot,
  StoreBatch,
} from "@colloquy/protocol";
import { appendAudit, pruneAudit } from "./audit-log.js";
import type { DiskContent } from "./memory-disk.js";
import { createSortedMap } from "./sorted-map.js";

/** The lazy part of committed batches that is not on the disk yet. */
export interface LazyPart {
  readonly isEmpty: boolean;
  add(lazy: EncodedLazy): void;
  /** Writes what waits. */
  flush(content: DiskContent): void;
}

/** A batch's lazy part with nothing in it that somebody else holds. */
export interface EncodedLazy {
  readonly deliveries: readonly DeliveryRecord[];
  readonly audit: readonly string[];
  readonly pruneAuditTo: number;
  readonly snapshots: readonly Snapshot[];
  readonly records: readonly RecordWrite[];
}

/**
 * Copies a batch's lazy part, behind the delivery and audit records of its durable part: a durable
 * part goes to the disk with all that waits, so that these are written in their turn. Throws what
 * `JSON.stringify` throws.
 */
export function encodeLazy({ deliveries = [], audit = [], lazy }: StoreBatch): EncodedLazy {
  return {
    deliveries: [...deliveries, ...lazy.deliveries].map((delivery) =>
      Object.freeze({ ...delivery, above: Object.freeze([...delivery.above]) }),
    ),
    audit: [...audit, ...lazy.audit].map((record: AuditRecord) => JSON.stringify(record)),
    pruneAuditTo: lazy.prune_audit_to ?? 0,
    snapshots: lazy.snapshots.map((snapshot) => Object.freeze({ ...snapshot })),
    records: (lazy.records ?? []).map((record) => Object.freeze({ ...record })),
  };
}

/** Makes an empty {@link LazyPart}. */
export function createLazyPart(): LazyPart {
  let waiting: EncodedLazy[] = [];
  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    add(lazy) {
      const { deliveries, audit, snapshots, records, pruneAuditTo } = lazy;
      const entries = deliveries.length + audit.length + snapshots.length + records.length;
      if (entries > 0 || pruneAuditTo > 0) waiting.push(lazy);
    },
    flush(content) {
      for (const lazy of waiting) write(lazy, content);
      waiting = [];
    },
  };
}

function write(lazy: EncodedLazy, content: DiskContent): void {
  for (const delivery of lazy.deliveries) {
    let ofAgent = content.deliveries.get(delivery.agent_id);
    if (ofAgent === undefined) {
      ofAgent = createSortedMap();
      content.deliveries.set(delivery.agent_id, ofAgent);
    }
    ofAgent.set(delivery.channel_id, delivery);
  }
  appendAudit(content, lazy.audit);
  if (lazy.pruneAuditTo > 0) pruneAudit(content, lazy.pruneAuditTo);
  for (const snapshot of lazy.snapshots) {
    const channel = content.channels.get(snapshot.channel_id);
    if (channel !== undefined) channel.snapshot = snapshot;
  }
  for (const record of lazy.records) writeRecord(content, record);
}

/** Writes one record, or deletes it. */
export function writeRecord(content: DiskContent, { kind, id, value }: RecordWrite): void {
  const ofKind = content.records.get(kind);
  if (value === null) ofKind?.delete(id);
  else ofKind?.set(id, Object.freeze({ kind, id, value }));
}
