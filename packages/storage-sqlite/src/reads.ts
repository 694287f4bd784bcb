import {
  LAZY_RECORD_KINDS,
  pageLimit,
  type Store,
  type TextPage,
  type TextSearch,
  wholeNumber,
} from "@colloquy/protocol";
import type { HeadIndex } from "./log/head-index.js";
import type { LogReader } from "./log/log-reader.js";
import type { Tables } from "./tables/tables.js";

type Reads = Omit<Store, "durability" | "blocks" | "recover" | "commit" | "health" | "close">;

/** What {@link createReads} works on. */
export interface ReadContext {
  readonly index: HeadIndex;
  readonly tables: Tables;
  readonly log: LogReader;
  /** Inside one state of the database. */
  search(search: TextSearch): TextPage;
  /** Runs reads on one state of the database; throws `StoreError` when they fail or the store is closed. */
  reading<T>(work: () => T): T;
  /** Writes the lazy part that waits. */
  flush(): Promise<void>;
}

/** The reading half of a store. */
export function createReads({ index, tables, log, search, reading, flush }: ReadContext): Reads {
  return {
    readWal: async (channelId, range = {}) => reading(() => log.readWal(channelId, range)),
    readEnvelope: async (envelopeId) => reading(() => log.readEnvelope(envelopeId)),
    readLog: async (after, limit) =>
      reading(() => log.readLog(wholeNumber(after, 0, 0, "after"), pageLimit(limit))),
    searchText: async (asked) => reading(() => search(asked)),
    readChannel: async (channelId) => reading(() => tables.channels.read(channelId)),
    listChannels: async (filter = {}) => reading(() => tables.channels.list(filter)),
    readHead: async (channelId) => reading(() => log.readHead(channelId)),
    async readSnapshot(channelId) {
      await flush();
      return reading(() => {
        const channel = index.numberOf(channelId);
        return channel === null ? null : tables.snapshots.read(channel, channelId);
      });
    },
    async readRecord(kind, id) {
      if (LAZY_RECORD_KINDS.has(kind)) await flush();
      return reading(() => tables.records.read(kind, id));
    },
    async listRecords(kind, after = "", limit) {
      if (LAZY_RECORD_KINDS.has(kind)) await flush();
      return reading(() => tables.records.list(kind, after, pageLimit(limit)));
    },
    async readDeliveries(agentId, channelId) {
      await flush();
      return reading(() => tables.deliveries.read(agentId, channelId));
    },
    async readAudit(filter = {}) {
      await flush();
      return reading(() => tables.audit.read(filter));
    },
  };
}
