import type { Database } from "better-sqlite3";
import { type AuditTable, createAuditTable } from "./audit-table.js";
import { type ChannelTable, createChannelTable } from "./channel-table.js";
import { createDeliveryTable, type DeliveryTable } from "./delivery-table.js";
import { createRecordTable, type RecordTable } from "./record-table.js";
import { createSnapshotTable, type SnapshotTable } from "./snapshot-table.js";

/** Everything beside the log. */
export interface Tables {
  readonly channels: ChannelTable;
  readonly records: RecordTable;
  readonly deliveries: DeliveryTable;
  readonly audit: AuditTable;
  readonly snapshots: SnapshotTable;
}

/** Prepares the statements of all tables. Throws when one is missing. */
export function createTables(db: Database): Tables {
  return {
    channels: createChannelTable(db),
    records: createRecordTable(db),
    deliveries: createDeliveryTable(db),
    audit: createAuditTable(db),
    snapshots: createSnapshotTable(db),
  };
}
