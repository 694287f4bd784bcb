import { EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { batchOf, createChainMaker } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { searchChannel } from "./search-channel.js";

async function fill(texts: readonly string[]) {
  const store = createMemoryStore();
  const make = createChainMaker();
  const channel = make.channel();
  const envelopes = texts.map((text) => make.next(channel.channel_id, { text }));
  await store.commit(batchOf({ channels: [channel], envelopes }));
  return { store, id: channel.channel_id };
}

describe("searchChannel", () => {
  it("gives hits with their positions, oldest or newest first, within bounds", async () => {
    const { store, id } = await fill(["a fox", "a hen", "Fox two", "FOX three"]);
    const search = async (options = {}) => {
      const { positions, next } = await searchChannel({ store }, id, "fox", options);
      return [positions, next];
    };
    expect(await search()).toEqual([[1, 3, 4], null]);
    expect(await search({ order: "newest" })).toEqual([[4, 3, 1], null]);
    expect(await search({ limit: 1 })).toEqual([[1], 1]);
    expect(await search({ limit: 1, after: 1 })).toEqual([[3], 3]);
    expect(await search({ limit: 1, order: "newest", before: 4 })).toEqual([[3], 3]);
    expect(await search({ after: 1, before: 4 })).toEqual([[3], null]);
    expect((await searchChannel({ store }, id, "fox")).envelopes[1]).toMatchObject({
      event_type: EV_TEXT,
      event_data: { text: "Fox two" },
    });
  });

  it("ends after so many looks, and what it could not look at comes with the next page", async () => {
    const { store, id } = await fill([...Array.from({ length: 20_500 }, () => "hen"), "fox"]);
    const first = await searchChannel({ store }, id, "fox");
    expect([first.positions, first.next]).toEqual([[], 20_000]);
    const second = await searchChannel({ store }, id, "fox", { after: 20_000 });
    expect([second.positions, second.next]).toEqual([[20_501], null]);
    const newest = await searchChannel({ store }, id, "none", { order: "newest" });
    expect([newest.positions, newest.next]).toEqual([[], 502]);
  });

  it("leaves out what may not be seen and fills the page with what follows", async () => {
    const { store, id } = await fill(["fox 1", "fox 2", "fox 3", "fox 4"]);
    const isVisible = (_: unknown, position: number) => position % 2 === 0;
    const found = await searchChannel({ store }, id, "fox", { limit: 2, isVisible });
    expect(found.positions).toEqual([2, 4]);
  });

  it("keeps a page of large envelopes to some MiB", async () => {
    const { store, id } = await fill(
      Array.from({ length: 5 }, () => `fox ${"x".repeat(1_100_000)}`),
    );
    const first = await searchChannel({ store }, id, "fox");
    expect(first.positions).toEqual([1, 2, 3]);
    const second = await searchChannel({ store }, id, "fox", { after: first.next ?? 0 });
    expect([second.positions, second.next]).toEqual([[4, 5], null]);
  });

  it("refuses an unknown channel and words that cannot be", async () => {
    const { store, id } = await fill(["fox"]);
    await expect(searchChannel({ store }, "x", "fox")).rejects.toMatchObject({ code: "not_found" });
    for (const words of ["", "x".repeat(1_001)]) {
      await expect(searchChannel({ store }, id, words)).rejects.toMatchObject({
        code: "invalid_input",
      });
    }
  });
});
