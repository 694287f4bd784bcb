import { StoreError } from "@colloquy/protocol";
import { batchOf, collect, createChainMaker, createFakeClock } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createMemoryDisk } from "./memory-disk.js";
import { createMemoryStore } from "./memory-store.js";

const note = { at: "2026", kind: "note" };

describe("a memory disk", () => {
  it("outlives its stores and takes one at a time", async () => {
    const disk = createMemoryDisk();
    const first = createMemoryStore({ disk });
    expect(disk.inUse).toBe(true);
    expect(() => createMemoryStore({ disk })).toThrow(StoreError);
    expect(() => first.reopen()).toThrow(/close or crash it first/);
    await first.commit(batchOf({ records: [{ kind: "meta", id: "a", value: "1" }] }));
    await first.close();
    expect(disk.inUse).toBe(false);
    const second = createMemoryStore({ disk });
    expect(await second.readRecord("meta", "a")).toBe("1");
    await first.close();
    expect(disk.inUse).toBe(true);
    second.crash();
    second.crash();
    expect(second.health()).toMatchObject({ healthy: false, reason: "the store has crashed" });
    expect(await second.reopen().readRecord("meta", "a")).toBe("1");
  });

  it("is one that createMemoryDisk made", () => {
    const stranger = { inUse: false, damageChannel: () => undefined };
    expect(() => createMemoryStore({ disk: stranger })).toThrow("createMemoryDisk");
  });

  it("a damaged channel is broken for every read and missing from lists", async () => {
    const store = createMemoryStore();
    const make = createChainMaker();
    const [whole, damaged] = [make.channel(), make.channel()];
    const envelopes = [...make.take(whole.channel_id, 1), ...make.take(damaged.channel_id, 1)];
    await store.commit(batchOf({ channels: [whole, damaged], envelopes }));
    const id = damaged.channel_id;
    store.disk.damageChannel(id);
    store.disk.damageChannel("unknown");
    for (const read of [
      store.readWal(id),
      store.readChannel(id),
      store.readHead(id),
      store.readSnapshot(id),
      store.readEnvelope(envelopes[1]?.envelope_id ?? ""),
    ]) {
      await expect(read).rejects.toThrow(id);
    }
    expect(await store.listChannels()).toEqual([whole]);
    const recovered = await collect((await store.recover()).channels);
    expect(recovered).toMatchObject([{ channel: whole }, { channel_id: id, channel: null }]);
  });
});

describe("a crash", () => {
  it("loses the lazy part that waits and nothing else", async () => {
    const store = createMemoryStore();
    await store.commit(batchOf({ lazy: { audit: [note] } }));
    await store.commit(batchOf({ records: [{ kind: "meta", id: "a", value: "1" }] }));
    await store.commit(batchOf({ lazy: { audit: [note, note] } }));
    store.crash();
    await expect(store.readAudit()).rejects.toThrow("crashed");
    const again = store.reopen();
    expect(await again.readAudit()).toHaveLength(1);
    expect(await again.readRecord("meta", "a")).toBe("1");
  });

  it("loses nothing that a clock has had time to write", async () => {
    const clock = createFakeClock();
    const store = createMemoryStore({ clock, lazyDelayMs: 30 });
    await store.commit(batchOf({ lazy: { audit: [note] } }));
    clock.advance(29);
    expect(clock.pendingTimers).toBe(1);
    clock.advance(1);
    await store.commit(batchOf({ lazy: { audit: [note] } }));
    store.crash();
    expect(clock.pendingTimers).toBe(0);
    expect(await store.reopen().readAudit()).toHaveLength(1);
  });
});

describe("a commit", () => {
  it("with what is no plain data or of no known kind is refused whole", async () => {
    const store = createMemoryStore();
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    const record = { kind: "meta", id: "a", value: "1" } as const;
    const circular = batchOf({ records: [record], lazy: { audit: [{ ...note, loop }] } });
    await expect(store.commit(circular)).rejects.toBeInstanceOf(StoreError);
    const stranger = { ...record, kind: "poem" as "meta" };
    const unknown = store.commit(batchOf({ records: [record, stranger] }));
    await expect(unknown).rejects.toThrow("poem");
    expect(await store.readRecord("meta", "a")).toBeNull();
  });
});
