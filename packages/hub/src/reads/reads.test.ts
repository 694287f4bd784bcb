import { createDefaultAdapters } from "@colloquy/adapters";
import { NotFoundError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openHub } from "../open-hub.js";

async function openRoom() {
  const hub = await openHub({
    store: createMemoryStore(),
    clock: createFakeClock(),
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
  });
  const bench = createHubBench(hub);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b]);
  for (let turn = 4; turn <= 10; turn += 1) await bench.say(id, a, `${turn}`);
  return { hub, ...bench, a, b, id };
}

describe("readWal", () => {
  it("gives positions above since and up to until, counted from the end when negative", async () => {
    const { hub, id } = await openRoom();
    const read = async (since?: number, until?: number | null) =>
      (await hub.readWal(id, since, until)).map(({ event_data }) => event_data["text"]);
    expect(await hub.readWal(id)).toHaveLength(10);
    expect(await read(3)).toEqual(["4", "5", "6", "7", "8", "9", "10"]);
    expect(await read(3, 5)).toEqual(["4", "5"]);
    expect(await read(-2)).toEqual(["9", "10"]);
    expect(await read(7, -1)).toEqual(["8", "9"]);
    expect(await read(3, 99)).toHaveLength(7);
    expect(await read(99)).toEqual([]);
    expect(await read(5, 3)).toEqual([]);
    expect(await read(-99, 1)).toHaveLength(1);
  });

  it("knows no unknown channel", async () => {
    const { hub } = await openRoom();
    await expect(hub.readWal("none")).rejects.toThrow(NotFoundError);
    await expect(hub.readPage("none")).rejects.toThrow(NotFoundError);
  });
});

describe("readPage", () => {
  it("gives pages that add up to the whole, each with its positions and the head", async () => {
    const { hub, id } = await openRoom();
    const positions: number[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page = await hub.readPage(id, { after, limit: 4 });
      expect(page.head).toBe(10);
      expect(page.envelopes).toHaveLength(page.positions.length);
      positions.push(...page.positions);
      after = page.next;
    }
    expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("starts at the newest so many", async () => {
    const { hub, id } = await openRoom();
    const page = await hub.readPage(id, { last: 3 });
    expect(page.positions).toEqual([8, 9, 10]);
    expect((await hub.readPage(id, { last: 0 })).positions).toEqual([]);
    expect((await hub.readPage(id, { after: 9, last: 3 })).positions).toEqual([10]);
  });
});

describe("listChannels", () => {
  it("filters by member and state, in order of creation, within a limit", async () => {
    const { hub, join, open, a, b, id } = await openRoom();
    const c = await join("c");
    const { channel_id: second } = await open("conversation", b, [c]);
    const { channel_id: third } = await open("conversation", a, [c]);
    await hub.closeChannel(second);
    const ids = async (filter?: Parameters<typeof hub.listChannels>[0]) =>
      (await hub.listChannels(filter)).map(({ channel_id }) => channel_id);
    expect(await ids()).toEqual([id, second, third]);
    expect(await ids({ agent_id: a })).toEqual([id, third]);
    expect(await ids({ agent_id: c, states: ["active"] })).toEqual([third]);
    expect(await ids({ limit: 2 })).toEqual([id, second]);
    expect(await ids({ limit: null })).toHaveLength(3);
    expect(await ids({ limit: 0 })).toEqual([]);
  });
});

describe("adapters and views of a channel", () => {
  it("are found by its id", async () => {
    const { hub, a, id } = await openRoom();
    expect((await hub.adapterFor(id)).manifest.type).toBe("conversation");
    expect((await hub.defaultView(id, a)).name).toBe("windowed_summary");
    await expect(hub.adapterFor("none")).rejects.toThrow(NotFoundError);
    await expect(hub.getChannel("none")).rejects.toThrow("channel not found: 'none'");
    await expect(hub.adapterState("none")).rejects.toThrow(NotFoundError);
  });
});
