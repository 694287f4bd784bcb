import { createDefaultAdapters } from "@colloquy/adapters";
import { StoreError } from "@colloquy/protocol";
import { createMemoryStore, type MemoryStore } from "@colloquy/storage-memory";
import {
  type CrashPoint,
  createFakeClock,
  createFakeIds,
  createHubBench,
  faulty,
  settle,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openBench(memory: MemoryStore = createMemoryStore()) {
  const store = faulty(memory, { onCrash: () => memory.crash() });
  const clock = createFakeClock();
  const { hub, context } = await assembleHub({
    store,
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
  });
  return { hub, context, store, memory, clock, ...createHubBench(hub) };
}

async function openPair() {
  const bench = await openBench();
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("discussion", a, [b]);
  return { ...bench, a, b, id };
}

describe("a store without space", () => {
  it("F-080 refuses ten sends with a typed error and no trace; ten more work when there is space", async () => {
    const { hub, store, say, texts, a, b, id } = await openPair();
    const released: string[] = [];
    hub.addListener({ onEnvelopePosted: ({ envelope_id }) => void released.push(envelope_id) });
    const before = {
      wal: await hub.readWal(id),
      state: await hub.adapterState(id),
      pending: hub.health().pending_inbox_total,
    };
    store.failNext("commit", 10);
    for (let turn = 0; turn < 10; turn += 1) {
      const sending = say(id, a, `lost ${turn}`, { event_type: "app.note" });
      await expect(sending).rejects.toThrow(StoreError);
      await settle();
      expect(hub.health().status).toBe("degraded");
    }
    expect(released).toEqual([]);
    expect({
      wal: await hub.readWal(id),
      state: await hub.adapterState(id),
      pending: hub.health().pending_inbox_total,
    }).toEqual(before);
    for (let turn = 0; turn < 10; turn += 1) await say(id, turn % 2 ? b : a, `kept ${turn}`);
    expect(hub.health().status).toBe("ok");
    expect(await texts(id)).toEqual(Array.from({ length: 10 }, (_, turn) => `kept ${turn}`));
    expect(released).toEqual(
      (await hub.readWal(id)).slice(before.wal.length).map(({ envelope_id }) => envelope_id),
    );
  });

  it("F-080 fails what arrives together with what it stands on, in order, and nothing else", async () => {
    const { store, say, texts, open, a, b, id } = await openPair();
    const { channel_id: other } = await open("conversation", a, [b]);
    store.failNext("commit");
    const together = [say(id, a, "1"), say(id, b, "2"), say(other, a, "3")];
    const outcomes = await Promise.allSettled(together);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await settle();
    await say(id, a, "first again");
    await say(other, a, "and here");
    expect(await texts(id)).toEqual(["first again"]);
    expect(await texts(other)).toEqual(["and here"]);
  });
});

describe("a store of which nobody knows whether it wrote", () => {
  it("is asked what it has; what it wrote is delivered, and a repeat settles it", async () => {
    const { hub, store, say, texts, a, b, id } = await openPair();
    store.tearNext("written");
    const key = { idempotency_key: "k" };
    await expect(say(id, a, "perhaps", key)).rejects.toThrow(StoreError);
    await settle();
    expect(await texts(id)).toEqual(["perhaps"]);
    expect(hub.health().pending_inbox_total).toBe(1);
    const again = await say(id, a, "perhaps", key);
    expect(again.duplicate).toBe(true);
    await say(id, b, "certainly");
    expect(await texts(id)).toEqual(["perhaps", "certainly"]);
  });
});

describe("a hub that is killed", () => {
  const points: readonly CrashPoint[] = ["commit:before", "commit:after"];
  it.each(points)(
    "F-088 at %s has the envelope fully or not at all, and a repeat settles it",
    async (point) => {
      const first = await openPair();
      const key = { idempotency_key: "k" };
      const sure = await first.say(first.id, first.a, "sure", { idempotency_key: "sure" });
      first.store.crashAt(point);
      let answered = false;
      const sending = first.say(first.id, first.b, "unsure", key).then(
        () => {
          answered = true;
        },
        () => undefined,
      );
      void sending;
      await settle();
      expect(answered).toBe(false);

      const second = await openBench(first.memory.reopen());
      const isThere = (await second.texts(first.id)).includes("unsure");
      expect(isThere).toBe(point === "commit:after");
      const { state } = await second.hub.adapterState(first.id);
      expect(state).toMatchObject({ turn_count: isThere ? 2 : 1 });
      expect(second.context.delivery.pending(first.b)).toBe(1);
      expect(second.context.delivery.pending(first.a)).toBe(isThere ? 1 : 0);
      const again = await second.say(first.id, first.b, "unsure", key);
      expect(again.duplicate).toBe(isThere);
      expect(await second.texts(first.id)).toEqual(["sure", "unsure"]);
      const repeated = await second.say(first.id, first.a, "sure", { idempotency_key: "sure" });
      expect(repeated).toMatchObject({ envelope_id: sure.envelope_id, duplicate: true });
      expect(second.context.delivery.pending(first.a)).toBe(1);
    },
  );

  it("F-088 after the notification and before the answer has it once, folded once, delivered", async () => {
    const first = await openPair();
    const notified: string[] = [];
    first.hub.addListener({
      onEnvelopePosted({ envelope_id }) {
        notified.push(envelope_id);
        first.memory.crash();
      },
    });
    await first.say(first.id, first.a, "sure");
    const second = await openBench(first.memory.reopen());
    expect(await second.texts(first.id)).toEqual(["sure"]);
    const wal = await second.hub.readWal(first.id);
    expect(wal.at(-1)?.envelope_id).toBe(notified[0]);
    expect((await second.hub.adapterState(first.id)).state).toMatchObject({ turn_count: 1 });
    expect(second.context.delivery.pending(first.b)).toBe(1);
  });

  it("F-088 keeps an auto-close with the envelope that caused it", async () => {
    for (const point of points) {
      const bench = await openBench();
      const [a, b] = [await bench.join("a"), await bench.join("b")];
      const { channel_id: id } = await bench.open("consulting", a, [b]);
      await bench.say(id, a, "question");
      bench.store.crashAt(point);
      void bench.say(id, b, "answer").catch(() => undefined);
      await settle();
      const next = await openBench(bench.memory.reopen());
      const isThere = (await next.texts(id)).includes("answer");
      expect((await next.hub.getChannel(id)).state).toBe(isThere ? "closed" : "active");
    }
  });
});
