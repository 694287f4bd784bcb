import {
  type AuditRecord,
  type ChannelMetadata,
  type DeliveryRecord,
  isTerminalState,
  type RecordKind,
  type Snapshot,
  type StoreBatch,
  type StoredEnvelope,
} from "@colloquy/protocol";
import { type ChainMaker, createChainMaker } from "../../fakes/stored-chain.js";

/** What a store should hold, as plain lists and maps. */
export interface PlainModel {
  readonly make: ChainMaker;
  readonly log: StoredEnvelope[];
  readonly channels: Map<string, ChannelMetadata>;
  /** By `kind/id`. */
  readonly records: Map<string, string>;
  readonly audit: AuditRecord[];
  /** By `agent/channel`: every value since the newest that is known to be on the disk, oldest first. */
  readonly deliveries: Map<string, DeliveryRecord[]>;
  /** By channel, as `deliveries`. */
  readonly snapshots: Map<string, Snapshot[]>;
}

/** Makes the model of an empty store. */
export function createPlainModel(): PlainModel {
  return {
    make: createChainMaker(),
    log: [],
    channels: new Map(),
    records: new Map(),
    audit: [],
    deliveries: new Map(),
    snapshots: new Map(),
  };
}

/** Takes in a batch that was committed. */
export function applyToModel(model: PlainModel, batch: StoreBatch): void {
  for (const { channel } of batch.channels) {
    model.channels.set(channel.channel_id, structuredClone(channel));
  }
  model.log.push(...batch.envelopes);
  for (const { kind, id, value } of batch.records) {
    if (value === null) model.records.delete(`${kind}/${id}`);
    else model.records.set(`${kind}/${id}`, value);
  }
  for (const delivery of batch.lazy.deliveries) {
    append(model.deliveries, `${delivery.agent_id}/${delivery.channel_id}`, delivery);
  }
  for (const snapshot of batch.lazy.snapshots) {
    append(model.snapshots, snapshot.channel_id, snapshot);
  }
  model.audit.push(...(batch.audit ?? []), ...batch.lazy.audit);
}

/** The envelopes of one channel. */
export function walOf(model: PlainModel, channelId: string): StoredEnvelope[] {
  return model.log.filter((envelope) => envelope.channel_id === channelId);
}

/** The channels that are not closed, by id. */
export function openChannels(model: PlainModel): ChannelMetadata[] {
  return allChannels(model).filter((channel) => !isTerminalState(channel.state));
}

/** All channels, by id. */
export function allChannels(model: PlainModel): ChannelMetadata[] {
  return byKey(model.channels);
}

/** The records of a kind, by id. */
export function recordsOf(model: PlainModel, kind: RecordKind) {
  return [...model.records]
    .filter(([key]) => key.startsWith(`${kind}/`))
    .map(([key, value]) => ({ kind, id: key.slice(kind.length + 1), value }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The newest of each list of a map, by key. */
export function newestOf<T>(lists: ReadonlyMap<string, readonly T[]>): T[] {
  return byKey(lists).flatMap((values) => values.slice(-1));
}

function byKey<T>(map: ReadonlyMap<string, T>): T[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
