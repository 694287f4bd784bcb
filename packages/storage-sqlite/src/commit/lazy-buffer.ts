import type { DeliveryRecord, Snapshot } from "@colloquy/protocol";
import type { EncodedAudit } from "../tables/audit-table.js";
import type { EncodedLazy } from "./encode-batch.js";

/** The lazy part that waits to be written: per agent and channel, and per channel, only the newest. */
export interface LazyBuffer {
  /** Entries that wait. */
  readonly size: number;
  readonly deliveries: Iterable<DeliveryRecord>;
  readonly audit: readonly EncodedAudit[];
  readonly snapshots: Iterable<Snapshot>;
  add(lazy: EncodedLazy): void;
  /** Drops what waits of these agents and channels: newer records have been written. */
  supersede(deliveries: readonly DeliveryRecord[]): void;
  clear(): void;
}

/** Makes an empty {@link LazyBuffer}. */
export function createLazyBuffer(): LazyBuffer {
  const deliveries = new Map<string, DeliveryRecord>();
  const snapshots = new Map<string, Snapshot>();
  let audit: EncodedAudit[] = [];
  return {
    get size() {
      return deliveries.size + snapshots.size + audit.length;
    },
    get deliveries() {
      return deliveries.values();
    },
    get audit() {
      return audit;
    },
    get snapshots() {
      return snapshots.values();
    },
    add(lazy) {
      for (const delivery of lazy.deliveries) {
        deliveries.set(keyOf(delivery), delivery);
      }
      for (const snapshot of lazy.snapshots) snapshots.set(snapshot.channel_id, snapshot);
      audit.push(...lazy.audit);
    },
    supersede(written) {
      for (const delivery of written) deliveries.delete(keyOf(delivery));
    },
    clear() {
      deliveries.clear();
      snapshots.clear();
      audit = [];
    },
  };
}

function keyOf({ channel_id, agent_id }: DeliveryRecord): string {
  return `${channel_id}\n${agent_id}`;
}
