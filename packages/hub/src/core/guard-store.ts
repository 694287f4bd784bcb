import { type Recovery, type Store, StoreError } from "@colloquy/protocol";

/**
 * The store as the hub reads it: whatever a read throws or rejects with is a `StoreError`, so that
 * nobody has to know how a store of somebody else fails. Commits are judged where they are made.
 */
export function guardStore(store: Store): Store {
  const guard = async <T>(read: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      throw asStoreError(error, read);
    }
  };
  return {
    durability: store.durability,
    blocks: store.blocks,
    commit: (batch) => store.commit(batch),
    recover: () => guard("recover", async () => guardRecovery(await store.recover())),
    readWal: (...args) => guard("readWal", () => store.readWal(...args)),
    readEnvelope: (...args) => guard("readEnvelope", () => store.readEnvelope(...args)),
    readLog: (...args) => guard("readLog", () => store.readLog(...args)),
    searchText: (...args) => guard("searchText", () => store.searchText(...args)),
    readChannel: (...args) => guard("readChannel", () => store.readChannel(...args)),
    listChannels: (...args) => guard("listChannels", () => store.listChannels(...args)),
    readHead: (...args) => guard("readHead", () => store.readHead(...args)),
    readSnapshot: (...args) => guard("readSnapshot", () => store.readSnapshot(...args)),
    readRecord: (...args) => guard("readRecord", () => store.readRecord(...args)),
    listRecords: (...args) => guard("listRecords", () => store.listRecords(...args)),
    readDeliveries: (...args) => guard("readDeliveries", () => store.readDeliveries(...args)),
    readAudit: (...args) => guard("readAudit", () => store.readAudit(...args)),
    health: () => store.health(),
    close: () => store.close(),
  };
}

function guardRecovery(recovery: Recovery): Recovery {
  async function* channels() {
    try {
      yield* recovery.channels;
    } catch (error) {
      throw asStoreError(error, "recover");
    }
  }
  return { ...recovery, channels: channels() };
}

function asStoreError(error: unknown, read: string): StoreError {
  if (error instanceof StoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(`the store failed in ${read}: ${reason}`, { cause: error });
}
