import { createMemoryStore } from "@colloquy/storage-memory";
import { batchOf, createChainMaker } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { firstRowWhere, lastRow } from "./last-row.js";

async function storeOf(rows: number) {
  const store = createMemoryStore();
  const chain = createChainMaker();
  const channel = chain.channel();
  const envelopes = chain.take(channel.channel_id, rows);
  await store.commit(batchOf({ channels: [channel], envelopes }));
  return store;
}

describe("lastRow", () => {
  it.each([0, 1, 2, 3, 4, 7, 8, 9, 1_023, 1_024, 1_025])("finds %i", async (rows) => {
    expect(await lastRow(await storeOf(rows))).toBe(rows);
  });
});

describe("firstRowWhere", () => {
  it("finds the border, wherever it is, in few reads", async () => {
    const store = await storeOf(300);
    let reads = 0;
    const counted = {
      ...store,
      readLog: (after: number, limit?: number) => {
        reads += 1;
        return store.readLog(after, limit);
      },
    };
    for (const border of [1, 2, 3, 128, 129, 299, 300, 301]) {
      reads = 0;
      expect(await firstRowWhere(counted, ({ row }) => row >= border)).toBe(border);
      expect(reads).toBeLessThanOrEqual(20);
    }
  });
});
