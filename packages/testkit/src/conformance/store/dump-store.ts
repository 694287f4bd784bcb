import {
  type BrokenChannel,
  RECORD_KINDS,
  type RecoveredChannel,
  type Store,
  type StoredEnvelope,
} from "@colloquy/protocol";

/** A channel of {@link StoreDump}, as `recover` gives it. */
export type DumpedChannel = RecoveredChannel | BrokenChannel;

/** Everything that a store's reads give, as one value to compare. */
export interface StoreDump {
  readonly log: readonly StoredEnvelope[];
  readonly channels: readonly unknown[];
  readonly records: readonly unknown[];
  readonly deliveries: readonly unknown[];
  readonly audit: readonly unknown[];
  readonly recovered: readonly DumpedChannel[];
}

/** Reads everything out of a store. For stores of up to 1,000 of each kind. */
export async function dumpStore(store: Store): Promise<StoreDump> {
  const recovery = await store.recover();
  const records = await Promise.all(RECORD_KINDS.map((kind) => store.listRecords(kind)));
  return {
    log: await store.readLog(0),
    channels: await store.listChannels(),
    records: records.flat(),
    deliveries: recovery.deliveries,
    audit: await store.readAudit(),
    recovered: await collect(recovery.channels),
  };
}

/** All items of an asynchronous iterable. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
