import { createDefaultAdapters } from "@colloquy/adapters";
import { createMemoryStore, type MemoryStore } from "@colloquy/storage-memory";
import {
  createFakeClock,
  createFakeIds,
  createHubBench,
  FAKE_START_MS,
  faulty,
  settle,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

const open = (store: MemoryStore, clock = createFakeClock()) =>
  assembleHub({ store, clock, ids: createFakeIds(), adapters: createDefaultAdapters() });

describe("a channel whose time is up at the start", () => {
  it("ends once it has been taken up, however slowly its store reads", async () => {
    const memory = createMemoryStore();
    const { hub: first } = await open(memory);
    const bench = createHubBench(first);
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { channel_id: id } = await bench.open("conversation", a, [b], { ttl: 60 });
    await bench.say(id, a, "unread");
    await first.close();

    const reopened = memory.reopen();
    let release = (): void => undefined;
    const firstRead = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reads = 0;
    const slow: MemoryStore = {
      ...reopened,
      async readWal(channelId, range) {
        reads += 1;
        if (reads === 1) await firstRead;
        return reopened.readWal(channelId, range);
      },
    };
    const clock = createFakeClock(FAKE_START_MS + 3_600_000);
    const opening = open(slow, clock);
    await settle();
    expect(reads).toBe(1);
    await clock.advanceAsync(1);
    release();
    const { hub } = await opening;
    await clock.advanceAsync(10);
    expect((await hub.getChannel(id)).state).toBe("expired");
    expect((await reopened.readChannel(id))?.state).toBe("expired");
    expect(hub.health().active_channels).toBe(0);
    await expect(bench.say(id, a, "late")).rejects.toThrow();
  });

  it("ends although it could not be read at the start", async () => {
    const memory = createMemoryStore();
    const { hub: first } = await open(memory);
    const bench = createHubBench(first);
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { channel_id: id } = await bench.open("conversation", a, [b], { ttl: 60 });
    await bench.say(id, a, "unread");
    await first.close();
    const reopened = memory.reopen();
    const store = faulty(reopened);
    store.failNext("readWal");
    const clock = createFakeClock();
    const { hub } = await assembleHub({
      store,
      clock,
      ids: createFakeIds(),
      adapters: createDefaultAdapters(),
    });
    await clock.advanceAsync(60_000);
    expect(store.calls("readWal")).toBeGreaterThan(1);
    expect((await hub.getChannel(id)).state).toBe("expired");
  });
});
