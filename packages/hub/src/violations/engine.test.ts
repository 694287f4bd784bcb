import { createDefaultAdapters } from "@colloquy/adapters";
import { EV_EXPECTATION_VIOLATED } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubOptions } from "../context/options.js";
import { assembleHub } from "../open-hub.js";

async function openBench(options: Partial<HubOptions> = {}, clock = createFakeClock()) {
  const store = faulty(options.store ?? createMemoryStore());
  const { hub, context } = await assembleHub({
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    ...options,
    store,
  });
  const fired: string[] = [];
  hub.addListener({ onExpectationFired: (id, { name }) => void fired.push(`${id} ${name}`) });
  const pass = (seconds: number) => clock.advanceAsync(seconds * 1_000);
  return { ...createHubBench(hub), hub, context, store, clock, fired, pass };
}

const silence = (on_violation: string, seconds = 60) => ({
  ttl: 0,
  knobs: { expectations: [{ name: "max_silence", on_violation, params: { seconds } }] },
});

const notifies = (events: readonly string[]) =>
  events.filter((type) => type === EV_EXPECTATION_VIOLATED).length;

describe("the engine", () => {
  it("looks at ten thousand open channels without reading a WAL, on one timer", async () => {
    const { hub, store, clock, fired, pass, open, join } = await openBench();
    const rule = { limits: { inbox: { max_pending: 0 } } };
    const [a, b] = [await join("a", { rule }), await join("b", { rule })];
    const COUNT = 10_000;
    for (let at = 0; at < COUNT; at += 500) {
      await Promise.all(
        Array.from({ length: 500 }, () => open("conversation", a, [b], silence("audit"))),
      );
    }
    const reads = () =>
      (["readWal", "readEnvelope", "readLog", "readSnapshot", "readChannel"] as const).map(
        (method) => store.calls(method),
      );
    const before = reads();
    const timers = clock.pendingTimers;
    await pass(59);
    expect(fired).toEqual([]);
    await pass(1);
    expect(fired).toHaveLength(COUNT);
    expect(new Set(fired).size).toBe(COUNT);
    expect(reads()).toEqual(before);
    expect(clock.pendingTimers).toBeLessThanOrEqual(timers);
    await hub.close();
  }, 60_000);

  it("fires once, at the start, what fell due while the hub was down", async () => {
    const store = createMemoryStore();
    const first = await openBench({ store });
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: id } = await first.open("conversation", a, [b], silence("notify_channel"));
    await first.hub.close();
    first.clock.set(first.clock.now() + 300_000);
    const second = await openBench({ store: store.reopen() }, first.clock);
    await second.pass(0);
    expect(second.fired).toEqual([`${id} max_silence`]);
    await second.pass(600);
    expect(notifies(await second.events(id))).toBe(1);
    await second.hub.close();
    const third = await openBench({ store: second.store }, first.clock).catch(() => null);
    expect(third).toBeNull();
  });

  it("owes the creator its notice after a restart as before", async () => {
    const store = createMemoryStore();
    const first = await openBench({ store });
    const [a, b] = [await first.join("a"), await first.join("b")];
    await first.open("conversation", a, [b], silence("notify_channel"));
    const quiet = first.context.delivery.pending(a);
    await first.pass(60);
    const owed = [a, b].map((id) => first.context.delivery.pending(id));
    expect(owed[0]).toBe(quiet + 1);
    await first.hub.close();
    const second = await openBench({ store: store.reopen() }, first.clock);
    expect([a, b].map((id) => second.context.delivery.pending(id))).toEqual(owed);
    await second.hub.close();
  });

  it("tries again when the store does not take a violation, and writes it once", async () => {
    for (const fault of ["none", "lost", "written"] as const) {
      const { hub, store, fired, pass, open, join, events } = await openBench();
      const [a, b] = [await join("a"), await join("b")];
      const { channel_id: id } = await open("conversation", a, [b], silence("notify_channel"));
      await pass(59);
      if (fault === "none") store.failNext("commit");
      else store.tearNext(fault);
      await pass(1);
      await pass(30);
      expect(notifies(await events(id)), fault).toBe(1);
      expect(fired, fault).toEqual([`${id} max_silence`]);
      await pass(3_600);
      expect(notifies(await events(id)), fault).toBe(1);
      await hub.close();
    }
  });

  it("closes once, and tells it once, when the store fails in between", async () => {
    for (const fault of ["none", "lost", "written"] as const) {
      const { hub, store, fired, pass, open, join, events } = await openBench();
      const [a, b] = [await join("a"), await join("b")];
      const { channel_id: id } = await open("conversation", a, [b], silence("auto_close"));
      await pass(59);
      if (fault === "none") store.failNext("commit");
      else store.tearNext(fault);
      await pass(1);
      await pass(30);
      expect((await hub.getChannel(id)).close_reason, fault).toBe(
        "expectation_violated:max_silence",
      );
      expect(
        (await events(id)).filter((type) => type.endsWith("closed")),
        fault,
      ).toHaveLength(1);
      expect(fired, fault).toEqual([`${id} max_silence`]);
      await hub.close();
    }
  });

  it("waits for an answer that is on its way into the store", async () => {
    const { hub, store, clock, fired, open, join, say } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("conversation", a, [b], silence("auto_close"));
    clock.set(clock.now() + 59_999);
    const gate = store.block("commit");
    const saying = say(id, a, "just in time");
    clock.set(clock.now() + 1);
    const ticking = hub.expectationTick();
    await settle();
    gate.release();
    await saying;
    expect(await ticking).toBe(0);
    expect(fired).toEqual([]);
    expect((await hub.getChannel(id)).state).toBe("active");
  });

  it("folds the WAL where a snapshot knows nothing of expectations", async () => {
    const store = createMemoryStore();
    const first = await openBench({ store });
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: id } = await first.open("conversation", a, [b], silence("audit"));
    await first.pass(30);
    await first.say(id, a, "word");
    await first.hub.close();
    const again = store.reopen();
    const old = await again.readSnapshot(id);
    if (old === null) throw new Error("there is no snapshot");
    const { watch: _watch, ...content } = JSON.parse(old.state) as Record<string, unknown>;
    const snapshots = [{ ...old, state: JSON.stringify(content) }];
    const lazy = { deliveries: [], audit: [], snapshots };
    await again.commit({ envelopes: [], channels: [], records: [], lazy });
    const second = await openBench({ store: again }, first.clock);
    await second.pass(59);
    expect(second.fired).toEqual([]);
    await second.pass(1);
    expect(second.fired).toEqual([`${id} max_silence`]);
    await second.hub.close();
  });

  it("keeps nothing of a channel that has ended, in memory or store", async () => {
    const { hub, context, store, pass, open, join } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("conversation", a, [b], silence("audit"));
    const { channel_id: other } = await open("conversation", a, [b], silence("auto_close"));
    await pass(60);
    expect(await store.readRecord("meta", `expectations ${id}`)).not.toBeNull();
    expect(await store.readRecord("meta", `expectations ${other}`)).toBeNull();
    await hub.closeChannel(id);
    expect(await store.readRecord("meta", `expectations ${id}`)).toBeNull();
    const { size } = context.deadlines;
    await pass(3_600);
    expect(context.deadlines.size).toBeLessThanOrEqual(size);
    expect(await hub.nextExpectation(id)).toBeNull();
  });

  it("goes on when an evaluator throws, and asks one of somebody else after each envelope", async () => {
    let looks = 0;
    const evaluators = [
      {
        name: "broken",
        needs: () => [],
        conditions() {
          looks += 1;
          throw new Error("oops");
        },
      },
    ];
    const bench = await openBench({ expectationEvaluators: evaluators });
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { knobs } = silence("audit");
    const expectations = [{ name: "broken", on_violation: "audit" }, ...knobs.expectations];
    const options = { ttl: 0, knobs: { expectations } };
    const { channel_id: id } = await bench.open("conversation", a, [b], options);
    const before = looks;
    await bench.say(id, a, "word");
    expect(looks).toBeGreaterThan(before);
    await bench.pass(60);
    expect(bench.fired).toEqual([`${id} max_silence`]);
  });
});
