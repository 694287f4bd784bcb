import type {
  AuditRecord,
  DeliveryRecord,
  RecordWrite,
  Snapshot,
  StoreBatch,
} from "@colloquy/protocol";

/** Audit records that wait at most while the store fails; beyond it the oldest are lost. */
const MAX_WAITING_AUDIT = 10_000;

type LazyPart = StoreBatch["lazy"];

/** The lazy writes that wait for the next commit. */
export interface LazyQueue {
  readonly isEmpty: boolean;
  /** Adds writes; per agent and channel the newest delivery record stays, per channel the newest snapshot, per id the newest record. */
  add(part: Partial<LazyPart>): void;
  /** Drops what waits of these records: newer ones are staged. */
  supersede(records: readonly RecordWrite[]): void;
  /** Hands everything out and is empty then. */
  take(): LazyPart;
  /** Takes a part back whose commit failed; what was added since is newer. Returns how many audit records were lost. */
  putBack(part: LazyPart): number;
}

/** Makes an empty {@link LazyQueue}. */
export function createLazyQueue(): LazyQueue {
  let deliveries = new Map<string, DeliveryRecord>();
  let snapshots = new Map<string, Snapshot>();
  let records = new Map<string, RecordWrite>();
  let audit: AuditRecord[] = [];
  let pruneTo = 0;

  return {
    get isEmpty() {
      const entries = deliveries.size + snapshots.size + records.size + audit.length;
      return entries === 0 && pruneTo === 0;
    },
    add(part) {
      for (const record of part.deliveries ?? []) deliveries.set(deliveryKey(record), record);
      for (const snapshot of part.snapshots ?? []) snapshots.set(snapshot.channel_id, snapshot);
      for (const record of part.records ?? []) records.set(recordKey(record), record);
      for (const record of part.audit ?? []) audit.push(record);
      pruneTo = Math.max(pruneTo, part.prune_audit_to ?? 0);
    },
    supersede(staged) {
      if (records.size === 0) return;
      for (const record of staged) records.delete(recordKey(record));
    },
    take() {
      const part = {
        deliveries: [...deliveries.values()],
        audit,
        snapshots: [...snapshots.values()],
        ...(records.size === 0 ? {} : { records: [...records.values()] }),
        ...(pruneTo === 0 ? {} : { prune_audit_to: pruneTo }),
      };
      deliveries = new Map();
      snapshots = new Map();
      records = new Map();
      audit = [];
      pruneTo = 0;
      return part;
    },
    putBack(part) {
      for (const record of part.deliveries) {
        if (!deliveries.has(deliveryKey(record))) deliveries.set(deliveryKey(record), record);
      }
      for (const snapshot of part.snapshots) {
        if (!snapshots.has(snapshot.channel_id)) snapshots.set(snapshot.channel_id, snapshot);
      }
      for (const record of part.records ?? []) {
        if (!records.has(recordKey(record))) records.set(recordKey(record), record);
      }
      pruneTo = Math.max(pruneTo, part.prune_audit_to ?? 0);
      const all = [...part.audit, ...audit];
      audit = all.slice(-MAX_WAITING_AUDIT);
      return all.length - audit.length;
    },
  };
}

function recordKey({ kind, id }: RecordWrite): string {
  return `${kind} ${id}`;
}

function deliveryKey(record: DeliveryRecord): string {
  return `${record.agent_id} ${record.channel_id}`;
}
