import { StoreError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../fakes/fake-clock.js";
import { batchOf, createChainMaker } from "../fakes/stored-chain.js";
import { settle } from "../wait/settle.js";
import { faulty } from "./faulty-store.js";

/** A wrapped memory store with one channel, and envelopes to put into it. */
async function startStore(seed?: number) {
  const clock = createFakeClock();
  const memory = createMemoryStore();
  const store = faulty(memory, {
    clock,
    onCrash: () => memory.crash(),
    ...(seed === undefined ? {} : { seed }),
  });
  const make = createChainMaker();
  const channel = make.channel();
  await store.commit(batchOf({ channels: [channel] }));
  const next = () => batchOf({ envelopes: make.take(channel.channel_id, 1) });
  const length = async () => (await memory.readLog(0)).length;
  return { clock, memory, store, make, channel, next, length };
}

/** True when the promise has settled by the time that all ready work has run. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await settle();
  return settled;
}

describe("faulty", () => {
  it("passes everything on and counts calls per method", async () => {
    const { store, next, length } = await startStore();
    await store.commit(next());
    expect(await store.readLog(0)).toHaveLength(1);
    expect(await length()).toBe(1);
    expect(store.calls("commit")).toBe(2);
    expect(store.calls("readLog")).toBe(1);
    expect(store.calls("readWal")).toBe(0);
    expect(store).toMatchObject({ durability: "none", blocks: true, crashed: false });
  });

  it("fails the next calls without reaching the store, and health says so until one works", async () => {
    const { store, make, next, length } = await startStore();
    store.failNext("commit", 2);
    const mark = make.mark();
    for (let call = 0; call < 2; call += 1) {
      await expect(store.commit(next())).rejects.toBeInstanceOf(StoreError);
      make.rewind(mark);
      expect(store.health()).toMatchObject({ healthy: false, reason: /space/ });
    }
    expect(await length()).toBe(0);
    await store.commit(next());
    expect(store.health()).toMatchObject({ healthy: true, reason: "" });
    expect(await length()).toBe(1);
  });

  it("rejects with the error that the test makes, for reads too", async () => {
    const { store } = await startStore();
    store.failNext("readWal", 1, () => new StoreError("sector 7"));
    await expect(store.readWal("c")).rejects.toThrow("sector 7");
    expect(await store.readWal("c")).toMatchObject({ head: 0 });
    expect(store.health().healthy).toBe(true);
  });

  it.each(["written", "lost"] as const)("tears a commit that was %s", async (outcome) => {
    const { store, next, length } = await startStore();
    store.tearNext(outcome);
    await expect(store.commit(next())).rejects.toMatchObject({ details: { outcome: "unknown" } });
    expect(await length()).toBe(outcome === "written" ? 1 : 0);
    expect(store.health().healthy).toBe(false);
  });

  it("delays by the clock and nothing else", async () => {
    const { store, clock, next, length } = await startStore();
    store.delayNext("commit", 500);
    const commit = store.commit(next());
    expect(await hasSettled(commit)).toBe(false);
    await clock.advanceAsync(499);
    expect(await length()).toBe(0);
    await clock.advanceAsync(1);
    await commit;
    expect(await length()).toBe(1);
  });

  it("holds calls until the blockade is released", async () => {
    const { store, next, length } = await startStore();
    const blockade = store.block("commit");
    const commit = store.commit(next());
    expect(await hasSettled(commit)).toBe(false);
    expect(blockade.waiting).toBe(1);
    blockade.release();
    blockade.release();
    await commit;
    await store.commit(next());
    expect(await length()).toBe(2);
    expect(blockade.waiting).toBe(0);
  });

  it.each([
    ["commit:before", 0],
    ["commit:after", 1],
  ] as const)("crashes at %s: the call never settles, later ones reject", async (point, rows) => {
    const { store, memory, next } = await startStore();
    store.crashAt(point, 2);
    await store.commit(batchOf({}));
    const commit = store.commit(next());
    expect(await hasSettled(commit)).toBe(false);
    expect(store.crashed).toBe(true);
    await expect(store.readLog(0)).rejects.toBeInstanceOf(StoreError);
    expect(store.health().healthy).toBe(false);
    await store.close();
    expect(await memory.reopen().readLog(0)).toHaveLength(rows);
  });

  it("a crash takes those with it that wait at a blockade", async () => {
    const { store, next } = await startStore();
    const blockade = store.block("commit");
    const waiting = store.commit(next());
    store.crashAt("readLog:before");
    const read = store.readLog(0);
    expect(await hasSettled(read)).toBe(false);
    blockade.release();
    expect(await hasSettled(waiting)).toBe(false);
  });

  it("draws the same faults from the same seed", async () => {
    const play = async (seed: number) => {
      const { store, next, make } = await startStore(seed);
      store.randomly({ commit: { fail: 0.3, torn: 0.2 } });
      const outcomes: string[] = [];
      for (let call = 0; call < 60; call += 1) {
        const mark = make.mark();
        const outcome = await store.commit(next()).then(
          () => "done",
          (error: StoreError) => String(error.details?.["outcome"]),
        );
        outcomes.push(outcome);
        if (outcome !== "done") make.rewind(mark);
        if (outcome === "unknown") break;
      }
      return outcomes;
    };
    const first = await play(7);
    expect(await play(7)).toEqual(first);
    expect(first).toContain("done");
    expect(first.length).toBeGreaterThan(2);
    expect(await play(8)).not.toEqual(first);
  });

  it("heal forgets faults and releases blockades", async () => {
    const { store, next, length } = await startStore();
    store.failNext("commit", 5);
    store.randomly({ readLog: { fail: 1 } });
    store.block("commit");
    const commit = store.commit(next());
    expect(await hasSettled(commit)).toBe(false);
    store.heal();
    await commit;
    expect(await store.readLog(0)).toHaveLength(1);
    expect(await length()).toBe(1);
  });

  it("says what is missing when a delay is planned without a clock", async () => {
    const store = faulty(createMemoryStore());
    store.delayNext("commit", 1);
    await expect(store.commit(batchOf({}))).rejects.toThrow("clock");
  });
});
