import {
  type ChannelHead,
  LAZY_RECORD_KINDS,
  pageLimit,
  type Store,
  type StoredEnvelope,
  StoreError,
  walWindow,
  wholeNumber,
} from "@colloquy/protocol";
import { readAudit } from "./audit-log.js";
import type { DiskChannel, DiskContent } from "./memory-disk.js";
import { DAMAGED, readMetadata } from "./recovery.js";
import { searchText } from "./search-text.js";
import { take } from "./take.js";

type Reads = Omit<Store, "durability" | "blocks" | "recover" | "commit" | "health" | "close">;

/** What {@link createReads} works on. */
export interface ReadContext {
  readonly content: DiskContent;
  /** Throws `StoreError` once the store has ended. */
  assertOpen(): void;
  /** Writes the lazy part that waits, so that reads see it. */
  flush(): void;
}

/** The reading half of a memory store. */
export function createReads({ content, assertOpen, flush }: ReadContext): Reads {
  const readable = (channelId: string): DiskChannel | undefined => {
    assertOpen();
    const channel = content.channels.get(channelId);
    if (channel?.damaged === true) {
      throw new StoreError(`channel ${channelId} cannot be read: ${DAMAGED}`);
    }
    return channel;
  };
  return {
    async readWal(channelId, range = {}) {
      const channel = readable(channelId);
      const head = channel?.head.position ?? 0;
      const { from, to, next } = walWindow(range, head);
      return { envelopes: channel?.wal.slice(from - 1, Math.max(to, from - 1)) ?? [], next, head };
    },
    async readEnvelope(envelopeId) {
      assertOpen();
      const found = findById(content.log, envelopeId);
      if (found !== null) readable(found.channel_id);
      return found;
    },
    async readLog(after, limit) {
      assertOpen();
      const start = wholeNumber(after, 0, 0, "after");
      return content.log.slice(start, start + pageLimit(limit));
    },
    async searchText(search) {
      assertOpen();
      return searchText(content, search, readable);
    },
    async readChannel(channelId) {
      const channel = readable(channelId);
      return channel === undefined ? null : readMetadata(channel);
    },
    async listChannels(filter = {}) {
      assertOpen();
      const states = filter.states === undefined ? null : new Set(filter.states);
      return take(content.channels.above(filter.after ?? ""), pageLimit(filter.limit), (channel) =>
        !channel.damaged &&
        (states === null || states.has(channel.state)) &&
        (filter.agent_id === undefined || channel.members.has(filter.agent_id))
          ? readMetadata(channel)
          : undefined,
      );
    },
    async readHead(channelId): Promise<ChannelHead> {
      return readable(channelId)?.head ?? { position: 0, row: 0, hash: "" };
    },
    async readSnapshot(channelId) {
      const channel = readable(channelId);
      flush();
      return channel?.snapshot ?? null;
    },
    async readRecord(kind, id) {
      assertOpen();
      if (LAZY_RECORD_KINDS.has(kind)) flush();
      return content.records.get(kind)?.get(id)?.value ?? null;
    },
    async listRecords(kind, after = "", limit) {
      assertOpen();
      if (LAZY_RECORD_KINDS.has(kind)) flush();
      const ofKind = content.records.get(kind)?.above(after) ?? [];
      return take(ofKind, pageLimit(limit), (record) => record);
    },
    async readDeliveries(agentId, channelId) {
      assertOpen();
      flush();
      const ofAgent = content.deliveries.get(agentId);
      if (channelId === undefined) return [...(ofAgent?.above("") ?? [])];
      const delivery = ofAgent?.get(channelId);
      return delivery === undefined ? [] : [delivery];
    },
    async readAudit(filter = {}) {
      assertOpen();
      flush();
      return readAudit(content, filter);
    },
  };
}

/** Ids grow with rows, so halving finds one. */
function findById(log: readonly StoredEnvelope[], id: string): StoredEnvelope | null {
  let low = 0;
  let high = log.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const candidate = log[middle];
    if (candidate === undefined || candidate.envelope_id === id) return candidate ?? null;
    if (candidate.envelope_id < id) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
