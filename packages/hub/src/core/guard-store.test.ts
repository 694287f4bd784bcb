import { type Store, StoreError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { guardStore } from "./guard-store.js";

const READS = [
  "recover",
  "readWal",
  "readEnvelope",
  "readLog",
  "readChannel",
  "listChannels",
  "readHead",
  "readSnapshot",
  "readRecord",
  "listRecords",
  "readDeliveries",
  "readAudit",
] as const;

type Read = (...args: readonly unknown[]) => Promise<unknown>;
const readOf = (store: Store, read: (typeof READS)[number]) => store[read] as Read;

describe("guardStore", () => {
  it.each(READS)("makes a StoreError of whatever %s fails with", async (read) => {
    const inner = faulty(createMemoryStore());
    const store = guardStore(inner);
    inner.failNext(read, 1, () => new TypeError("the worker has exited"));
    const failed = readOf(store, read)("agent", "id");
    await expect(failed).rejects.toBeInstanceOf(StoreError);
    await expect(failed).rejects.toThrow(`the store failed in ${read}: the worker has exited`);
    await expect(failed).rejects.toMatchObject({ cause: expect.any(TypeError) });

    const own = new StoreError("no space");
    inner.failNext(read, 1, () => own);
    await expect(readOf(store, read)("agent", "id")).rejects.toBe(own);
    expect(inner.calls(read)).toBe(2);
  });

  it("catches what a read throws, and what comes in the middle of a recovery", async () => {
    const memory = createMemoryStore();
    const store = guardStore({
      ...memory,
      readHead() {
        throw new Error("thrown");
      },
      async recover() {
        const recovery = await memory.recover();
        // biome-ignore lint/correctness/useYield: it fails before the first one.
        async function* channels(): typeof recovery.channels & AsyncGenerator<never> {
          throw new Error("torn");
        }
        return { ...recovery, channels: channels() };
      },
    });
    await expect(store.readHead("c")).rejects.toThrow("the store failed in readHead: thrown");
    const recovery = await store.recover();
    const reading = (async () => {
      for await (const _channel of recovery.channels) expect.unreachable();
    })();
    await expect(reading).rejects.toThrow("the store failed in recover: torn");
  });

  it("leaves commits, health and the close to the store", async () => {
    const inner = faulty(createMemoryStore());
    const store = guardStore(inner);
    const error = new Error("as it is");
    inner.failNext("commit", 1, () => error);
    const batch = { envelopes: [], channels: [], records: [] };
    const lazy = { deliveries: [], audit: [], snapshots: [] };
    await expect(store.commit({ ...batch, lazy })).rejects.toBe(error);
    expect(store.health()).toMatchObject({ healthy: false });
    expect([store.durability, store.blocks]).toEqual([inner.durability, inner.blocks]);
    await store.close();
    await expect(inner.readLog(0)).rejects.toBeInstanceOf(StoreError);
  });
});
