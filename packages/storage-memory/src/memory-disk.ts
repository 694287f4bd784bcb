import {
  type ChannelHead,
  type ChannelState,
  type DeliveryRecord,
  RECORD_KINDS,
  type RecordKind,
  type Snapshot,
  type StoredEnvelope,
  type StoredRecord,
} from "@colloquy/protocol";
import { createSortedMap, type SortedMap } from "./sorted-map.js";

/**
 * What a memory store keeps beyond its own life, as a disk outlives a process.
 *
 * One store at a time works on it.
 */
export interface MemoryDisk {
  /** True while an open store works on it. */
  readonly inUse: boolean;
  /** From now on nothing of this channel can be read, as after a damaged sector. The others are not affected. */
  damageChannel(channelId: string): void;
}

/** A channel as it lies on a {@link MemoryDisk}. */
export interface DiskChannel {
  readonly id: string;
  /** The metadata as JSON, so that nobody outside holds a part of it. */
  metadata: string;
  state: ChannelState;
  members: ReadonlySet<string>;
  head: ChannelHead;
  snapshot: Snapshot | null;
  readonly wal: StoredEnvelope[];
  damaged: boolean;
}

/** An audit record as it lies on a {@link MemoryDisk}. */
export interface DiskAudit {
  readonly sequence: number;
  readonly prev_hash: string;
  readonly hash: string;
  /** The record's JSON. */
  readonly text: string;
}

/** The bytes of a {@link MemoryDisk}, so to speak. */
export interface DiskContent {
  readonly log: StoredEnvelope[];
  readonly channels: SortedMap<DiskChannel>;
  readonly records: ReadonlyMap<RecordKind, SortedMap<StoredRecord>>;
  /** By agent, then by channel. */
  readonly deliveries: SortedMap<SortedMap<DeliveryRecord>>;
  /** From the oldest that is kept, without gaps. */
  audit: DiskAudit[];
  auditBytes: number;
  inUse: boolean;
}

const contents = new WeakMap<MemoryDisk, DiskContent>();

/** Makes an empty {@link MemoryDisk}. */
export function createMemoryDisk(): MemoryDisk {
  const content: DiskContent = {
    log: [],
    channels: createSortedMap(),
    records: new Map(RECORD_KINDS.map((kind) => [kind, createSortedMap<StoredRecord>()])),
    deliveries: createSortedMap(),
    audit: [],
    auditBytes: 0,
    inUse: false,
  };
  const disk: MemoryDisk = {
    get inUse() {
      return content.inUse;
    },
    damageChannel(channelId) {
      const channel = content.channels.get(channelId);
      if (channel !== undefined) channel.damaged = true;
    },
  };
  contents.set(disk, content);
  return disk;
}

/** The content of a disk that {@link createMemoryDisk} made. */
export function contentOf(disk: MemoryDisk): DiskContent {
  const content = contents.get(disk);
  if (content === undefined) throw new TypeError("disk must come from createMemoryDisk");
  return content;
}
