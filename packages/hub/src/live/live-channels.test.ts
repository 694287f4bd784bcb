import { createConversationAdapter } from "@colloquy/adapters";
import { type ChannelMetadata, NotFoundError, StoreError } from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { LiveChannel } from "./live-channel.js";
import { ChannelBrokenError, createChannelTable } from "./live-channels.js";
import { newLiveChannel } from "./new-live-channel.js";

const adapter = createConversationAdapter();

function metadataOf(id: string, part: Partial<ChannelMetadata> = {}): ChannelMetadata {
  return { ...fakeChannel(adapter.manifest, ["a", "b"]), channel_id: id, ...part };
}

function liveOf(metadata: ChannelMetadata): LiveChannel {
  const live = newLiveChannel({ metadata, adapter, state: { turn: 0 } });
  live.head = { position: 1, row: 1, hash: "h" };
  live.committed = 1;
  return live;
}

function setUp(endedInMemory = 2) {
  const stored = new Map<string, ChannelMetadata>();
  const reads: string[] = [];
  const told: string[] = [];
  let fault: Error | null = null;
  const table = createChannelTable({
    async read(channelId) {
      reads.push(channelId);
      await Promise.resolve();
      if (fault !== null) throw fault;
      const metadata = stored.get(channelId);
      return metadata === undefined ? null : { ...liveOf(metadata), warm: false };
    },
    async warmUp(live) {
      told.push(`warm ${live.id}`);
      await Promise.resolve();
      live.warm = true;
    },
    readMetadata: async (channelId) => stored.get(channelId) ?? null,
    endedInMemory,
    onForgotten: (channelId) => void told.push(`forgotten ${channelId}`),
    onQuarantined: (channelId) => void told.push(`quarantined ${channelId}`),
  });
  const failReads = (error: Error | null): void => {
    fault = error;
  };
  return { table, stored, reads, told, failReads };
}

describe("channel table", () => {
  it("reads a channel once, however many want it", async () => {
    const { table, stored, reads } = setUp();
    stored.set("c", metadataOf("c"));
    const loaded = await Promise.all([table.load("c"), table.load("c"), table.ready("c")]);
    expect(new Set(loaded).size).toBe(1);
    expect(reads).toEqual(["c"]);
    expect(table.peek("c")).toBe(loaded[0]);
    expect(table.openOf("a")).toEqual(["c"]);
  });

  it("warms a channel up once before it is ready", async () => {
    const { table, stored, told } = setUp();
    stored.set("c", metadataOf("c"));
    await Promise.all([table.ready("c"), table.ready("c")]);
    expect(told).toEqual(["warm c"]);
    await table.ready("c");
    expect(told).toEqual(["warm c"]);
  });

  it("tells an unknown channel from one that could not be read, which is tried again", async () => {
    const { table, stored, failReads } = setUp();
    await expect(table.load("none")).rejects.toThrow(NotFoundError);
    stored.set("c", metadataOf("c"));
    failReads(new StoreError("disk"));
    await expect(table.load("c")).rejects.toThrow("disk");
    failReads(null);
    expect((await table.load("c")).id).toBe("c");
    expect(table.quarantined.size).toBe(0);
  });

  it("quarantines a broken channel and keeps what is known of it", async () => {
    const { table, reads, told, failReads } = setUp();
    table.addUnread(metadataOf("c"));
    failReads(new ChannelBrokenError("torn", metadataOf("c")));
    await expect(table.load("c")).rejects.toThrow("torn");
    failReads(null);
    await expect(table.load("c")).rejects.toThrow("channel 'c' is quarantined: torn");
    expect(reads).toEqual(["c"]);
    expect(told).toEqual(["quarantined c"]);
    expect(table.openCount).toBe(0);
    expect(table.openOf("a")).toEqual([]);
    expect((await table.metadata("c"))?.channel_id).toBe("c");
  });

  it("counts open channels by member and creator, in order of their ids", () => {
    const { table } = setUp();
    for (const id of ["2", "1", "3"]) table.add(liveOf(metadataOf(id)));
    expect(table.openOf("b")).toEqual(["1", "2", "3"]);
    expect(table.openCreatedBy("a")).toBe(3);
    expect(table.openCreatedBy("b")).toBe(0);
    expect(table.openCount).toBe(3);
    table.add({ ...liveOf(metadataOf("4")), adapter: null });
    expect([table.openCount, table.activeCount]).toEqual([4, 3]);
  });

  it("an evicted channel is again what the store has: open, or unknown", async () => {
    const { table, stored } = setUp();
    const known = liveOf(metadataOf("known"));
    stored.set("known", known.metadata);
    table.add(known);
    table.committed(known, known.metadata);
    known.metadata = { ...known.metadata, state: "closed" };
    table.ended(known);
    expect(table.openOf("a")).toEqual([]);
    table.evict("known");
    expect(table.openOf("a")).toEqual(["known"]);
    expect((await table.metadata("known"))?.state).toBe("active");
    table.add(liveOf(metadataOf("new")));
    table.evict("new");
    expect(table.openOf("a")).toEqual(["known"]);
    await expect(table.load("new")).rejects.toThrow(NotFoundError);
    expect(await table.load("known")).not.toBe(known);
    table.evict("never");
  });

  it("keeps the ended channels that were used last", async () => {
    const { table, stored, told } = setUp(2);
    for (const id of ["1", "2", "3"]) {
      const live = liveOf(metadataOf(id));
      table.add(live);
      live.metadata = metadataOf(id, { state: "closed" });
      stored.set(id, live.metadata);
      table.ended(live);
      table.committed(live, live.metadata);
      if (id === "2") table.peek("1");
    }
    expect(told).toEqual(["forgotten 2"]);
    expect(table.peek("2")).toBeUndefined();
    expect(table.openCount).toBe(0);
    expect((await table.load("2")).metadata.state).toBe("closed");
    expect(told).toEqual(["forgotten 2", "forgotten 1"]);
    expect([...table.inMemory()].map(({ id }) => id)).toEqual(["3", "2"]);
  });

  it.each([0, 1])("gets ended channels ready when it keeps %i of them in memory", async (kept) => {
    const { table, stored, reads, failReads } = setUp(kept);
    for (const id of ["1", "2", "3"]) stored.set(id, metadataOf(id, { state: "closed" }));
    const asked = ["1", "2", "3"].map((id) => table.ready(id));
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
    failReads(new StoreError("asked too often"));
    expect((await Promise.all(asked)).map(({ id, warm }) => [id, warm])).toEqual([
      ["1", true],
      ["2", true],
      ["3", true],
    ]);
    expect(reads).toHaveLength(3);
    expect([...table.inMemory()]).toHaveLength(kept);
  });
});
