import {
  type DeliveryRecord,
  type StoreBatch,
  type StoredEnvelope,
  StoreError,
  UnavailableError,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import {
  createChainMaker,
  createFakeClock,
  createRecordingLogger,
  faulty,
  settle,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createCommitter } from "./group-committer.js";

function setUp() {
  const clock = createFakeClock();
  const memory = createMemoryStore();
  const batches: StoreBatch[] = [];
  const store = faulty({
    ...memory,
    commit(batch) {
      batches.push(batch);
      return memory.commit(batch);
    },
  });
  const logger = createRecordingLogger();
  const told: string[] = [];
  const committer = createCommitter({
    store,
    clock,
    logger,
    startRow: 0,
    onFailed: (touched) => told.push(`failed ${touched.join(",")}`),
    onResynced: (touched) => told.push(`resynced ${touched.join(",")}`),
  });
  const chain = createChainMaker();
  /** A work that writes one channel and its first envelope. */
  const work = (name: string) => {
    const channel = chain.channel();
    const envelope: StoredEnvelope = {
      ...chain.next(channel.channel_id),
      row: committer.takeRow(),
    };
    return {
      id: channel.channel_id,
      channels: [{ channel }],
      envelopes: [envelope],
      onCommitted: () => void told.push(`committed ${name}`),
      onFailed: () => void told.push(`failed ${name}`),
    };
  };
  return { clock, memory, store, batches, committer, logger, told, work };
}

const record = (agent: string, floor: number): DeliveryRecord => ({
  agent_id: agent,
  channel_id: "c",
  cursor: "",
  floor,
  above: [],
  settled: false,
});

describe("committer", () => {
  it("puts what is staged in one turn into one commit, in order", async () => {
    const { batches, committer, told, work } = setUp();
    const works = [work("a"), work("b"), work("c")];
    await Promise.all(works.map((one) => committer.stage(one)));
    expect(batches).toHaveLength(1);
    expect(batches[0]?.envelopes.map(({ row }) => row)).toEqual([1, 2, 3]);
    expect(told).toEqual(["committed a", "committed b", "committed c"]);
  });

  it("gathers while a commit is in flight, and has one in flight only", async () => {
    const { store, batches, committer, work } = setUp();
    const gate = store.block("commit");
    const first = committer.stage(work("a"));
    await settle();
    const others = [committer.stage(work("b")), committer.stage(work("c"))];
    await settle();
    expect(gate.waiting).toBe(1);
    expect(committer.staged).toBe(3);
    gate.release();
    await Promise.all([first, ...others]);
    expect(batches.map(({ envelopes }) => envelopes.length)).toEqual([1, 2]);
    expect(committer.staged).toBe(0);
  });

  it("fails a batch and everything staged on top of it, and goes on from what is stored", async () => {
    const { store, committer, told, work, memory } = setUp();
    await committer.stage(work("before"));
    store.failNext("commit");
    const gate = store.block("commit");
    const [a, b] = [work("a"), work("b")];
    const failing = committer.stage(a);
    await settle();
    const onTop = committer.stage(b);
    gate.release();
    await expect(failing).rejects.toBeInstanceOf(StoreError);
    await expect(onTop).rejects.toBeInstanceOf(StoreError);
    expect(committer.failure).toBeInstanceOf(StoreError);
    expect(told.slice(1)).toEqual([`failed ${a.id},${b.id}`, "failed a", "failed b"]);
    expect(await memory.readChannel(a.id)).toBeNull();
    await committer.stage(work("later"));
    expect(committer.failure).toBeNull();
    expect((await memory.readLog(0)).map(({ row }) => row)).toEqual([1, 2]);
  });

  it("wraps what is no store error and keeps it as the cause", async () => {
    const { store, committer, work } = setUp();
    const cause = new Error("the disk is on fire");
    store.failNext("commit", 1, () => cause);
    await expect(committer.stage(work("a"))).rejects.toMatchObject({ code: "store_failed", cause });
  });

  it("looks into a commit whose outcome is unknown before it takes new work", async () => {
    const { store, committer, told, work, memory } = setUp();
    store.tearNext("written");
    const torn = work("a");
    const failing = committer.stage(torn);
    const gate = store.block("readLog");
    await expect(failing).rejects.toBeInstanceOf(StoreError);
    expect(() => work("refused")).toThrow(UnavailableError);
    gate.release();
    await settle();
    expect(told).toContain(`resynced ${torn.id}`);
    await committer.stage(work("b"));
    expect((await memory.readLog(0)).map(({ row }) => row)).toEqual([1, 2]);
  });

  it("asks again for the end of the log until the store answers", async () => {
    const { clock, store, committer, work } = setUp();
    store.tearNext("lost");
    store.failNext("readLog", 2);
    await expect(committer.stage(work("a"))).rejects.toBeInstanceOf(StoreError);
    await clock.advanceAsync(900);
    expect(() => work("early")).toThrow(UnavailableError);
    await clock.advanceAsync(2_000);
    await committer.stage(work("b"));
    expect(committer.failure).toBeNull();
  });

  it("lets the lazy part ride along, the newest record per agent and channel only", async () => {
    const { batches, committer, work } = setUp();
    committer.lazily({ deliveries: [record("x", 1), record("y", 1)] });
    committer.lazily({ deliveries: [record("x", 2)], audit: [{ at: "", kind: "k" }] });
    await committer.stage(work("a"));
    expect(batches).toHaveLength(1);
    expect(batches[0]?.lazy.deliveries.map(({ agent_id, floor }) => [agent_id, floor])).toEqual([
      ["x", 2],
      ["y", 1],
    ]);
    expect(batches[0]?.lazy.audit).toHaveLength(1);
  });

  it("writes a lazy part that nothing takes along by itself, soon", async () => {
    const { clock, batches, committer } = setUp();
    committer.lazily({ deliveries: [record("x", 1)] });
    await clock.advanceAsync(49);
    expect(batches).toHaveLength(0);
    await clock.advanceAsync(1);
    expect(batches.map(({ lazy }) => lazy.deliveries.length)).toEqual([1]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("keeps a lazy part whose commit failed, and does not let it fail the next work", async () => {
    const { clock, store, batches, committer, work } = setUp();
    committer.lazily({ deliveries: [record("x", 1)] });
    store.failNext("commit");
    await expect(committer.stage(work("a"))).rejects.toBeInstanceOf(StoreError);
    committer.lazily({ deliveries: [record("x", 3)] });
    await committer.stage(work("b"));
    expect(batches.at(-1)?.lazy.deliveries).toEqual([]);
    await clock.advanceAsync(1_000);
    expect(batches.at(-1)?.lazy.deliveries.map(({ floor }) => floor)).toEqual([3]);
  });

  it("writes a lazy part whose time came while a commit was in flight", async () => {
    const { clock, store, batches, committer, work } = setUp();
    const gate = store.block("commit");
    const staged = committer.stage(work("a"));
    await settle();
    committer.lazily({ deliveries: [record("x", 1)] });
    await clock.advanceAsync(200);
    gate.release();
    await staged;
    await settle();
    expect(batches.at(-1)?.lazy.deliveries.map(({ floor }) => floor)).toEqual([1]);
    committer.lazily({ deliveries: [record("x", 2)] });
    await clock.advanceAsync(50);
    expect(batches.at(-1)?.lazy.deliveries.map(({ floor }) => floor)).toEqual([2]);
  });

  it("writes a lazy part that has failed although work never pauses", async () => {
    const { clock, store, batches, committer, work } = setUp();
    committer.lazily({ deliveries: [record("x", 1)] });
    store.failNext("commit");
    await expect(committer.stage(work("a"))).rejects.toBeInstanceOf(StoreError);
    let rounds = 0;
    const again = (): void => {
      rounds += 1;
      if (rounds < 40) committer.enqueue({ ...work(`${rounds}`), onCommitted: again });
    };
    again();
    await settle();
    await clock.advanceAsync(1_000);
    for (let wait = 0; wait < 40 && rounds < 40; wait += 1) await settle();
    const written = batches.findIndex(({ lazy }) => lazy.deliveries.length > 0);
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(batches.length - 1);
    expect(batches.flatMap(({ envelopes }) => envelopes)).toHaveLength(39);
  });

  it("fails no work when only a lazy part fails", async () => {
    const { clock, store, committer, work } = setUp();
    store.failNext("commit");
    const gate = store.block("commit");
    committer.lazily({ deliveries: [record("x", 1)] });
    await clock.advanceAsync(50);
    const staged = committer.stage(work("a"));
    gate.release();
    await expect(staged).resolves.toBeUndefined();
  });

  it("writes a channel or record once per batch, as the newest work has it", async () => {
    const { batches, committer } = setUp();
    const put = (value: string) => committer.stage({ records: [{ kind: "meta", id: "m", value }] });
    await Promise.all([put("1"), put("2")]);
    expect(batches[0]?.records).toEqual([{ kind: "meta", id: "m", value: "2" }]);
  });

  it("flushes all that waits, and needs no store when nothing does", async () => {
    const { batches, committer, work } = setUp();
    await committer.flush();
    await committer.stage({});
    expect(batches).toHaveLength(0);
    committer.lazily({ audit: [{ at: "", kind: "k" }] });
    committer.enqueue(work("a"));
    await committer.flush();
    expect(batches).toHaveLength(1);
  });

  it("goes on when a step after a commit throws, and says so in the log", async () => {
    const { committer, logger, told, work } = setUp();
    const bad = committer.stage({
      ...work("bad"),
      onCommitted: () => {
        throw new Error("oops");
      },
    });
    const good = committer.stage(work("good"));
    await Promise.all([bad, good]);
    expect(told).toEqual(["committed good"]);
    expect(logger.at("error")).toHaveLength(1);
  });

  it("sets no timer and asks no store for a lazy part after a stop", async () => {
    const { clock, batches, committer } = setUp();
    committer.stop();
    committer.lazily({ audit: [{ at: "", kind: "late" }] });
    expect(clock.pendingTimers).toBe(0);
    await clock.advanceAsync(5_000);
    expect(batches).toHaveLength(0);
  });

  it("refuses work after a stop and still commits what was staged", async () => {
    const { committer, told, work } = setUp();
    const staged = committer.stage(work("a"));
    committer.stop();
    expect(() => committer.enqueue({})).toThrow(UnavailableError);
    expect(() => committer.takeRow()).toThrow(UnavailableError);
    await expect(committer.stage({})).rejects.toBeInstanceOf(UnavailableError);
    await staged;
    expect(told).toEqual(["committed a"]);
  });
});
