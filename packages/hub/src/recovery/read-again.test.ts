import { createDefaultAdapters } from "@colloquy/adapters";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createHubBench, faulty, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openHub } from "../open-hub.js";

async function open() {
  const store = faulty(createMemoryStore());
  const clock = createFakeClock();
  const hub = await openHub({ store, clock, adapters: createDefaultAdapters() });
  const bench = createHubBench(hub);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b]);
  const heard: unknown[] = [];
  hub.addListener({
    onChannelEvent: (channelId, kind, { reason }) => void heard.push([channelId, kind, reason]),
  });
  return { hub, store, clock, id, heard };
}

describe("a channel whose end was written though its commit seemed to fail", () => {
  it("is told to listeners and the audit log once, when it is read", async () => {
    const { hub, store, id, heard } = await open();
    store.tearNext("written");
    await expect(hub.closeChannel(id, "done")).rejects.toThrow();
    await until(() => heard.length > 0);
    await hub.getChannel(id);
    expect(heard).toEqual([[id, "closed", "done"]]);
    const records = await hub.audit.readAll();
    const ends = records.filter(({ kind }) => kind === "channel_closed");
    expect(ends).toMatchObject([{ channel_id: id, reason: "done" }]);
    await hub.close();
  });

  it("is told when reading it succeeds at last", async () => {
    const { hub, store, clock, id, heard } = await open();
    store.tearNext("written");
    store.failNext("readChannel", 1);
    await expect(hub.closeChannel(id, "done")).rejects.toThrow();
    await until(() => store.calls("readChannel") > 0);
    expect(heard).toEqual([]);
    await clock.advanceAsync(1_000);
    await until(() => heard.length > 0);
    expect(heard).toEqual([[id, "closed", "done"]]);
    await hub.close();
  });

  it("is not told when nothing was written, and told once when it is closed afterwards", async () => {
    const { hub, store, id, heard } = await open();
    store.tearNext("lost");
    await expect(hub.closeChannel(id, "first")).rejects.toThrow();
    await until(async () => (await hub.getChannel(id)).state === "active");
    store.failNext("commit");
    await expect(hub.closeChannel(id, "second")).rejects.toThrow();
    expect(heard).toEqual([]);
    await hub.closeChannel(id, "third");
    expect(heard).toEqual([[id, "closed", "third"]]);
    await hub.close();
  });
});
