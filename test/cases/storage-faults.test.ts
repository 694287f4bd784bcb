import { copyFileSync, writeFileSync } from "node:fs";
import { dumpGraph, roundRobinGraph } from "@colloquy/adapters";
import type { Hub } from "@colloquy/hub";
import {
  type EnvelopeDraft,
  EV_CONTEXT_SET,
  EV_PACKET,
  EV_TEXT,
  isNetworkError,
  type Store,
  StoreError,
  UnavailableError,
} from "@colloquy/protocol";
import {
  createFakeClock,
  type FaultyStore,
  faulty,
  makeTempFolder,
  settle,
  until,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { SURROUNDINGS, startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";
import { startProgram } from "../store/start-program.js";

/** A network whose hub works on a store that a test commands. */
async function faultyNetwork(options: Parameters<typeof startTestNetwork>[0] = {}) {
  const stores: FaultyStore[] = [];
  const network = await startTestNetwork({
    ...options,
    wrapStore(inner) {
      const store = faulty(inner);
      stores.push(store);
      return store;
    },
  });
  const [store] = stores;
  if (store === undefined) throw new Error("the hub has a store");
  return { network, store };
}

describe.each(SURROUNDINGS)("a log that is folded elsewhere, $transport, $store", (options) => {
  it("F-086 gives the very state that was folded live, and does nothing else", async () => {
    await using network = await startTestNetwork(options);
    const { client: ada } = await network.agent("ada", ["ada", "ada", "ada", "ada"]);
    await network.agent("bob", ["bob", "", "bob", "bob", "bob"]);
    const ids = [ada.agentId, network.hub.findAgentId("bob") ?? ""];
    const graph = JSON.parse(dumpGraph(roundRobinGraph(ids, 3))) as Record<string, unknown>;
    const target = "bob";
    const channels = [
      await ada.open({ type: "consulting", target }),
      await ada.open({ type: "conversation", target, knobs: { max_turns: 3 } }),
      await ada.open({ type: "discussion", target, knobs: { max_turns: 4 } }),
      await ada.open({ type: "workflow", target, knobs: { graph } }),
    ];
    const flow = channels[3]?.channelId ?? "";
    await ada.send({
      ...{ channel_id: flow, event_type: EV_CONTEXT_SET },
      event_data: { set: { a: [1, { b: null }], gone: 1 } },
    });
    await ada.send({
      ...{ channel_id: flow, event_type: EV_PACKET },
      event_data: { body: "on", context_updates: { delete: ["gone"], set: { c: "x" } } },
    });
    for (const channel of channels.slice(0, 3)) await channel.send("begin");
    await until(async () =>
      (await Promise.all(channels.map((c) => c.info()))).every((c) => c.closed_at),
    );

    const live = await Promise.all(
      channels.map(async ({ channelId }) => (await network.hub.adapterState(channelId)).state),
    );
    const recorded = JSON.parse(JSON.stringify(live)) as unknown[];
    using folder = makeTempFolder();
    const copies = [folder.at("one.jsonl"), folder.at("two.jsonl")] as const;
    const lines = await Promise.all(
      channels.map(async ({ channelId }) => {
        const metadata = await network.hub.getChannel(channelId);
        return JSON.stringify({ metadata, wal: await network.wal(channelId) });
      }),
    );
    writeFileSync(copies[0], `${lines.join("\n")}\n`);
    copyFileSync(copies[0], copies[1]);
    for (const copy of copies) {
      const program = startProgram("../programs/fold-logs", copy);
      const folded = JSON.parse(await program.line("[")) as unknown[];
      expect(await program.ended).toBe(0);
      expect(folded).toEqual([recorded, recorded]);
    }
  });
});

/** A conversation in which one text is accepted, and whose members then have gone. */
async function abandoned(network: TestNetwork) {
  const on = network.connect();
  const ada = await network.human("ada", { on });
  const bob = await network.human("bob", { on });
  const { channelId } = await ada.open({ type: "conversation", target: "bob" });
  await ada.say(channelId, "accepted");
  return { ada, bob, channelId, leave: () => on.close() };
}

const turnsOf = async ({ hub }: TestNetwork, channelId: string) =>
  ((await hub.adapterState(channelId)).state as { turn_count: number }).turn_count;

describe.each(SURROUNDINGS)(
  "a channel whose members went amid a write, $transport, $store",
  (options) => {
    it("F-090 has one live state, which whoever comes back reads and goes on with", async () => {
      const limits = { endedChannelsInMemory: 1 };
      const { network, store } = await faultyNetwork({ ...options, hub: { limits } });
      await using _end = network;
      const { ada, channelId, leave } = await abandoned(network);
      const gate = store.block("commit");
      const first = ada.say(channelId, "slow").catch((error: unknown) => error);
      await until(() => gate.waiting === 1);
      await leave();
      await first;

      const back = await network.connect().attachHuman("ada");
      // What is not acknowledged is shown to nobody: the newest accepted state is the one before it.
      expect(await turnsOf(network, channelId)).toBe(1);
      expect((await back.hub.readWal(channelId)).at(-1)?.event_data).toEqual({ text: "accepted" });
      const second = back.say(channelId, "on top of it");
      await until(() => network.hub.health().staged_envelopes === 2);
      gate.release();
      await second;
      expect(await network.texts(channelId)).toEqual(["accepted", "slow", "on top of it"]);
      expect(await turnsOf(network, channelId)).toBe(3);
      const [one, other] = [
        await network.hub.adapterState(channelId),
        await network.hub.adapterState(channelId),
      ];
      expect(one.state).toBe(other.state);
      expect(network.hub.health()).toMatchObject({ status: "ok", staged_envelopes: 0 });

      // Once it has ended it makes room for others.
      await back.closeChannel(channelId);
      await network.human("carl");
      const next = await back.open({ type: "conversation", target: "carl" });
      await next.close();
      const reads = store.calls("readWal");
      expect(await turnsOf(network, channelId)).toBe(3);
      expect(store.calls("readWal")).toBeGreaterThan(reads);
    });

    it("F-090 loses nothing that was accepted when the write fails, and is not kept for ever", async () => {
      const limits = { endedChannelsInMemory: 1 };
      const { network, store } = await faultyNetwork({ ...options, hub: { limits } });
      await using _end = network;
      const { ada, channelId, leave } = await abandoned(network);
      const gate = store.block("commit");
      store.failNext("commit");
      const first = ada.say(channelId, "slow").catch((error: unknown) => error);
      await until(() => gate.waiting === 1);
      await leave();
      await first;
      const back = await network.connect().attachHuman("ada");
      // It was decided on a state that never came to be, so it fails with it.
      const second = back.say(channelId, "on top of it");
      await until(() => network.hub.health().staged_envelopes === 2);
      gate.release();
      await expect(second).rejects.toBeInstanceOf(StoreError);
      expect(await network.texts(channelId)).toEqual(["accepted"]);
      expect(await turnsOf(network, channelId)).toBe(1);

      await back.say(channelId, "again");
      expect(await network.texts(channelId)).toEqual(["accepted", "again"]);
      expect(await turnsOf(network, channelId)).toBe(2);
      const { positions } = await network.hub.readPage(channelId);
      expect(positions).toEqual(positions.map((_, index) => index + 1));
      expect(network.hub.health()).toMatchObject({ status: "ok", staged_envelopes: 0 });
      await back.closeChannel(channelId);
      await network.human("carl");
      await (await back.open({ type: "conversation", target: "carl" })).close();
      const reads = store.calls("readWal");
      expect(await turnsOf(network, channelId)).toBe(2);
      expect(store.calls("readWal")).toBeGreaterThan(reads);
    });
  },
);

/**
 * A store as if it ran on a worker: every call crosses to it and back, and it may die under a commit,
 * before the batch is written or after. The stores there are run on the hub's own thread by decision;
 * the port allows for one that does not, and this is how it would fail.
 */
function onWorker(store: Store) {
  const course: string[] = [];
  let death: { at: number; written: boolean } | null = null;
  let isDead = false;
  let commits = 0;
  let running = 0;

  const cross = async <T>(work: () => Promise<T>): Promise<T> => {
    await settle(2);
    if (isDead) throw new Error("the worker has exited");
    return work();
  };
  const worker: Store = {
    durability: store.durability,
    blocks: false,
    recover: () => cross(() => store.recover()),
    readWal: (...args) => cross(() => store.readWal(...args)),
    readEnvelope: (...args) => cross(() => store.readEnvelope(...args)),
    readLog: (...args) => cross(() => store.readLog(...args)),
    searchText: (...args) => cross(() => store.searchText(...args)),
    readChannel: (...args) => cross(() => store.readChannel(...args)),
    listChannels: (...args) => cross(() => store.listChannels(...args)),
    readHead: (...args) => cross(() => store.readHead(...args)),
    readSnapshot: (...args) => cross(() => store.readSnapshot(...args)),
    readRecord: (...args) => cross(() => store.readRecord(...args)),
    listRecords: (...args) => cross(() => store.listRecords(...args)),
    readDeliveries: (...args) => cross(() => store.readDeliveries(...args)),
    readAudit: (...args) => cross(() => store.readAudit(...args)),
    commit: (batch) =>
      cross(async () => {
        running += 1;
        if (batch.envelopes.length > 0) commits += 1;
        const isFatal = death !== null && commits === death.at;
        if (!isFatal || death?.written === true) await store.commit(batch);
        running -= 1;
        course.push("commit");
        if (!isFatal) return;
        death = null;
        isDead = true;
        throw new Error("the worker threw and exited");
      }),
    health() {
      const health = store.health();
      return isDead ? { ...health, healthy: false, reason: "the worker has exited" } : health;
    },
    async close() {
      course.push(`close with ${running} commits under way`);
      await store.close();
      course.push("worker ends");
    },
  };
  return {
    store: worker,
    /** What it did, in order. */
    course,
    /** Dies in so many commits from now. */
    dieIn(next: number, written: boolean) {
      death = { at: commits + next, written };
    },
    /** A new worker takes over. */
    revive() {
      isDead = false;
    },
  };
}

describe.each(SURROUNDINGS)("a store off the main thread, $transport, $store", (options) => {
  it.each([
    ["before the batch is written", false],
    ["after the batch was written", true],
  ])(
    "F-092 that dies %s: each append is durable or fails, and the hub says so",
    async (_how, written) => {
      const clock = createFakeClock();
      const workers: ReturnType<typeof onWorker>[] = [];
      await using network = await startTestNetwork({
        ...{ ...options, hub: { clock } },
        wrapStore(inner) {
          const worker = onWorker(inner);
          workers.push(worker);
          return worker.store;
        },
      });
      const [worker] = workers;
      if (worker === undefined) throw new Error("the hub has a store");
      const ada = await network.human("ada");
      await network.human("bob", { rule: { limits: { inbox: { max_pending: 0 } } } });
      const { channelId } = await ada.open({ type: "conversation", target: "bob" });
      const draft = (n: number): EnvelopeDraft => ({
        ...{ channel_id: channelId, event_type: EV_TEXT, event_data: { text: `${n}` } },
        idempotency_key: `key-${n}`,
      });

      worker.dieIn(5, written);
      const durable: string[] = [];
      const failed: unknown[] = [];
      const appends: Promise<unknown>[] = [];
      for (let n = 0; n < 100; n += 1) {
        const append = ada.send(draft(n)).then(
          (id) => durable.push(id),
          (error: unknown) => failed.push(error),
        );
        appends.push(append);
        if (n % 10 === 9) await settle(3);
      }
      await Promise.all(appends);
      expect(durable.length).toBeGreaterThan(0);
      expect(failed.length).toBeGreaterThan(0);
      expect(failed.filter((error) => !isStoreTrouble(error))).toEqual([]);
      expect(network.hub.health()).toMatchObject({
        ...{ status: "degraded", store: { healthy: false, reason: "the worker has exited" } },
      });
      await expect(ada.send(draft(1_000))).rejects.toSatisfy(isStoreTrouble);

      worker.revive();
      await clock.advanceAsync(1_000);
      await until(async () => {
        await clock.advanceAsync(1_000);
        return network.hub.health().status === "ok" || sendsAgain(ada.send(draft(1_001)));
      });
      const wal = await network.wal(channelId);
      const ids = wal.map(({ envelope_id }) => envelope_id);
      expect(durable.filter((id) => !ids.includes(id))).toEqual([]);
      for (let n = 0; n < 100; n += 1) await ada.send(draft(n));
      const keys = (await network.wal(channelId)).flatMap(({ event_type, idempotency_key }) =>
        event_type === EV_TEXT ? [idempotency_key] : [],
      );
      expect(new Set(keys).size).toBe(keys.length);
      for (let n = 0; n < 100; n += 1) expect(keys).toContain(`key-${n}`);
      expect(network.hub.health()).toMatchObject({ status: "ok" });
      await stopsInOrder(network.hub, worker.course);
    },
  );
});

const isStoreTrouble = (error: unknown): boolean =>
  isNetworkError(error) && (error instanceof StoreError || error instanceof UnavailableError);

const sendsAgain = (sending: Promise<string>): Promise<boolean> =>
  sending.then(
    () => true,
    () => false,
  );

/** A stop writes what is left, closes the database, and only then lets the worker go. */
async function stopsInOrder(hub: Hub, course: string[]): Promise<void> {
  course.length = 0;
  await hub.close();
  expect(course.slice(-2)).toEqual(["close with 0 commits under way", "worker ends"]);
  expect(course.slice(0, -2).every((step) => step === "commit")).toBe(true);
}
