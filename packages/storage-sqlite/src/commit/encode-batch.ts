import {
  type ChannelMetadata,
  type DeliveryRecord,
  type RecordWrite,
  type Snapshot,
  type StoreBatch,
  type StoredEnvelope,
  StoreError,
} from "@colloquy/protocol";
import { type EncodedAudit, encodeAudit } from "../tables/audit-table.js";

/** A batch whose objects are serialised, so that nothing can fail on them inside a transaction. */
export interface EncodedBatch {
  readonly envelopes: readonly StoredEnvelope[];
  readonly channels: readonly { readonly channel: ChannelMetadata; readonly text: string }[];
  readonly records: readonly RecordWrite[];
  readonly deliveries: readonly DeliveryRecord[];
  readonly audit: readonly EncodedAudit[];
  readonly lazy: EncodedLazy;
}

/** The lazy part of an {@link EncodedBatch}; it shares nothing with the caller. */
export interface EncodedLazy {
  readonly deliveries: readonly DeliveryRecord[];
  readonly audit: readonly EncodedAudit[];
  readonly pruneAuditTo: number;
  readonly snapshots: readonly Snapshot[];
  readonly records: readonly RecordWrite[];
}

/** Serialises what is not text yet. Throws `StoreError` for what is no plain data. */
export function encodeBatch(batch: StoreBatch): EncodedBatch {
  const { deliveries, audit, snapshots, records = [] } = batch.lazy;
  try {
    return {
      envelopes: batch.envelopes,
      channels: batch.channels.map(({ channel }) => ({ channel, text: JSON.stringify(channel) })),
      records: batch.records,
      deliveries: (batch.deliveries ?? []).map(copyDelivery),
      audit: (batch.audit ?? []).map(encodeAudit),
      lazy: {
        deliveries: deliveries.map(copyDelivery),
        audit: audit.map(encodeAudit),
        pruneAuditTo: batch.lazy.prune_audit_to ?? 0,
        snapshots: snapshots.map((snapshot) => ({ ...snapshot })),
        records: records.map((record) => ({ ...record })),
      },
    };
  } catch (cause) {
    throw new StoreError("a channel or an audit record cannot be written as JSON", {
      cause,
      details: { outcome: "none" },
    });
  }
}

function copyDelivery(delivery: DeliveryRecord): DeliveryRecord {
  return { ...delivery, above: [...delivery.above] };
}
