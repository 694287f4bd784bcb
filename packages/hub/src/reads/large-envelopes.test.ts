import { createDefaultAdapters } from "@colloquy/adapters";
import { type Envelope, EV_TEXT, type Store, type WalRange } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openHub } from "../open-hub.js";

const MIB = 1024 * 1024;
const LARGE = 900_000;
const COUNT = 30;

/** A channel of large texts, and the most bytes that one read of the store gave. */
async function openArchive() {
  const memory = createMemoryStore();
  let mostBytes = 0;
  const store: Store = {
    ...memory,
    async readWal(channelId: string, range: WalRange = {}) {
      const page = await memory.readWal(channelId, range);
      const bytes = page.envelopes.reduce((sum, { body }) => sum + body.length, 0);
      mostBytes = Math.max(mostBytes, bytes);
      return page;
    },
  };
  const hub = await openHub({
    store,
    clock: createFakeClock(),
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
  });
  const bench = createHubBench(hub);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b]);
  for (let n = 0; n < COUNT; n += 1) await bench.say(id, a, `${n} ${"x".repeat(LARGE)}`);
  return { hub, a, b, id, most: () => mostBytes };
}

const numberOf = ({ event_data }: Envelope): number =>
  Number.parseInt(String(event_data["text"]), 10);

it("a page ends before it has too many bytes, and its next leads to all of the rest", async () => {
  const { hub, id, most } = await openArchive();
  const texts: number[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await hub.readPage(id, { after, limit: 1_000 });
    expect(JSON.stringify(page.envelopes).length).toBeLessThan(5 * MIB);
    texts.push(...page.envelopes.filter((e) => e.event_type === EV_TEXT).map(numberOf));
    after = page.next;
  }
  expect(texts).toEqual(Array.from({ length: COUNT }, (_, n) => n));
  expect(most()).toBeLessThanOrEqual(16 * 1_000_000);
});

it("a whole WAL that is too much for an answer is refused before all of it is read", async () => {
  const { hub, id, most } = await openArchive();
  const maxBytes = 4 * MIB;
  const reading = hub.readWal(id, 0, null, { maxBytes });
  await expect(reading).rejects.toMatchObject({ code: "too_large" });
  await expect(reading).rejects.toThrow("ask for less, such as a range of the WAL");
  expect(most()).toBeLessThanOrEqual(16 * 1_000_000);
  expect(await hub.readWal(id, 0, 6, { maxBytes })).toHaveLength(6);
  const hidden = { maxBytes, show: (e: Envelope) => ({ ...e, event_data: {} }) };
  expect(await hub.readWal(id, 0, null, hidden)).toHaveLength(COUNT + 3);
});

it("a turn gets the window it asks for, or is told that it is too large", async () => {
  const { hub, a, b, id } = await openArchive();
  const [trigger] = (await hub.readPage(id, { last: 1 })).envelopes;
  const turn = { channel_id: id, agent_id: b, envelope_id: trigger?.envelope_id ?? "" };
  const { slice } = await hub.prepareTurn({ ...turn, last: 4, maxBytes: 4 * MIB });
  expect(slice.envelopes.map(numberOf)).toEqual([25, 26, 27, 28]);
  expect(slice.left_out).toEqual({ count: 25, senders: [a] });
  for (const last of [5, 1_000, null]) {
    const preparing = hub.prepareTurn({ ...turn, last, maxBytes: 4 * MIB });
    await expect(preparing).rejects.toMatchObject({ code: "too_large" });
  }
  const unbounded = await hub.prepareTurn({ ...turn, last: 1_000 });
  expect(unbounded.slice.envelopes.map(numberOf)).toEqual([...Array(COUNT - 1).keys()]);
});
