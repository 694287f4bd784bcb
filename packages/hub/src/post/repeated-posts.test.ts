import { createDefaultAdapters, sequenceGraph } from "@colloquy/adapters";
import { type EnvelopeDraft, EV_PACKET, EV_TEXT, ProtocolError } from "@colloquy/protocol";
import { createMemoryStore, type MemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubOptions } from "../context/options.js";
import { assembleHub } from "../open-hub.js";

async function openBench(
  memory: MemoryStore = createMemoryStore(),
  options: Partial<HubOptions> = {},
) {
  const store = faulty(memory);
  const { hub, context } = await assembleHub({
    store,
    clock: createFakeClock(),
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    ...options,
  });
  return { hub, context, store, memory, ...createHubBench(hub) };
}

async function openPair(type = "conversation", options: Partial<HubOptions> = {}) {
  const bench = await openBench(createMemoryStore(), options);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open(type, a, [b]);
  return { ...bench, a, b, id };
}

const KEY = { idempotency_key: "request-1" };

describe("a repeated post", () => {
  it("F-002 with the same key and content is the first result again, and is delivered once", async () => {
    const { hub, say, texts, a, b, id } = await openPair();
    const first = await say(id, a, "pay", KEY);
    expect(first.duplicate).toBe(false);
    const again = await say(id, a, "pay", KEY);
    expect(again).toEqual({ ...first, duplicate: true });
    expect(await texts(id)).toEqual(["pay"]);
    expect(hub.ledger(id, first.envelope_id).map(({ recipient_id }) => recipient_id)).toEqual([b]);
    expect(hub.health().pending_inbox_total).toBe(1);
  });

  it.each([
    ["closed", 1_000],
    ["killed", 1_000],
    ["closed, its index beyond the snapshot", 2],
  ])("F-002 is the first result again after the hub was %s", async (how, snapshotEvery) => {
    const first = await openPair("conversation", { limits: { snapshotEvery } });
    const posted = await first.say(first.id, first.a, "pay", KEY);
    await first.say(first.id, first.b, "ok");
    await first.say(first.id, first.a, "thanks");
    if (how === "killed") first.memory.crash();
    else await first.hub.close();
    const second = await openBench(first.memory.reopen());
    const again = await second.say(first.id, first.a, "pay", KEY);
    expect(again).toEqual({ ...posted, duplicate: true });
    expect(await second.texts(first.id)).toEqual(["pay", "ok", "thanks"]);
  });

  it("waits for the first one to be durable, and fails with it", async () => {
    const { store, say, texts, a, id } = await openPair();
    const gate = store.block("commit");
    const both = [say(id, a, "pay", KEY), say(id, a, "pay", KEY)];
    gate.release();
    const [first, second] = await Promise.all(both);
    expect(second).toEqual({ ...first, duplicate: true });
    store.failNext("commit");
    const failed = [
      say(id, a, "b", { idempotency_key: "2" }),
      say(id, a, "b", { idempotency_key: "2" }),
    ];
    const outcomes = await Promise.allSettled(failed);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await say(id, a, "b", { idempotency_key: "2" })).duplicate).toBe(false);
    expect(await texts(id)).toEqual(["pay", "b"]);
  });

  it("is answered although the channel has closed with the first one", async () => {
    const { hub, say, a, b, id } = await openPair("consulting");
    await say(id, a, "question");
    const answer = await say(id, b, "answer", KEY);
    expect((await hub.getChannel(id)).state).toBe("closed");
    expect(await say(id, b, "answer", KEY)).toEqual({ ...answer, duplicate: true });
  });

  it("with the same key and another content or type is an error that names the first", async () => {
    const { hub, say, texts, a, id } = await openPair();
    const first = await say(id, a, "pay 1", KEY);
    const other = say(id, a, "pay 2", KEY);
    await expect(other).rejects.toThrow(ProtocolError);
    await expect(other).rejects.toThrow(first.envelope_id);
    await expect(say(id, a, "pay 1", { ...KEY, event_type: "app.pay" })).rejects.toThrow(
      ProtocolError,
    );
    expect(await texts(id)).toEqual(["pay 1"]);
    expect((await hub.readWal(id)).length).toBe(4);
  });

  it("is recognised although the adapter had changed its content", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const knobs = { graph: sequenceGraph([a, b, a, b]) };
    const { channel_id: id } = await bench.open("workflow", a, [b], { knobs });
    const packet: EnvelopeDraft = {
      channel_id: id,
      sender_id: a,
      event_type: EV_PACKET,
      event_data: { body: "over to you", routing: { kind: "handoff", target: "b" } },
      ...KEY,
    };
    const first = await bench.hub.post(packet);
    const wal = await bench.hub.readWal(id);
    expect(wal.at(-1)?.event_data).toMatchObject({ routing: { target: b } });
    expect(await bench.hub.post(packet)).toEqual({ ...first, duplicate: true, notes: [] });
  });

  it("F-003 a key means something for one sender in one channel only", async () => {
    const { open, say, a, b, id } = await openPair();
    const { channel_id: other } = await open("conversation", a, [b]);
    const posted = [
      await say(id, a, "same", KEY),
      await say(id, b, "same", KEY),
      await say(other, a, "same", KEY),
      await say(other, b, "different", KEY),
    ];
    expect(posted.every(({ duplicate }) => !duplicate)).toBe(true);
    expect(new Set(posted.map(({ envelope_id }) => envelope_id)).size).toBe(4);
  });

  it("is no repeat once the first one is older than what is remembered", async () => {
    const { say, a, id } = await openPair("conversation", { limits: { rememberedEnvelopes: 3 } });
    await say(id, a, "x", KEY);
    await say(id, a, "1");
    await say(id, a, "2");
    expect((await say(id, a, "x", KEY)).duplicate).toBe(true);
    await say(id, a, "3");
    expect((await say(id, a, "x", KEY)).duplicate).toBe(false);
  });
});

describe("one reply per sender and cause", () => {
  it.each(["conversation", "consulting", "discussion"])(
    "F-068 the log of a %s holds one answer caused by an envelope, every time",
    async (type) => {
      const first = await openPair(type);
      const { a, b, id } = first;
      const trigger = await first.say(id, a, "envelope 10");
      const cause = { causation_id: trigger.envelope_id };
      const outcomes = await Promise.allSettled([
        first.say(id, b, "answer of process 1", cause),
        first.say(id, b, "answer of process 2", cause),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
      first.memory.crash();
      const second = await openBench(first.memory.reopen());
      await expect(second.say(id, b, "answer after a restart", cause)).rejects.toThrow(
        ProtocolError,
      );
      const wal = await second.hub.readWal(id);
      const answers = wal.filter(
        ({ sender_id, causation_id }) => sender_id === b && causation_id === cause.causation_id,
      );
      expect(answers.map(({ event_data }) => event_data["text"])).toEqual(["answer of process 1"]);
    },
  );

  it("F-068 names the answer that is there", async () => {
    const { say, a, b, id } = await openPair();
    const trigger = await say(id, a, "?");
    const cause = { causation_id: trigger.envelope_id };
    const answer = await say(id, b, "!", cause);
    await expect(say(id, b, "!!", cause)).rejects.toMatchObject({
      message: `envelope '${trigger.envelope_id}' is already answered by ${answer.envelope_id}`,
      details: { envelope_id: answer.envelope_id },
    });
  });

  it("holds for replies of agents alone: not for people, notes or other senders", async () => {
    const bench = await openBench();
    const a = await bench.join("a");
    const person = await bench.join("person", { kind: "human" });
    const { channel_id: id } = await bench.open("conversation", a, [person]);
    const trigger = await bench.say(id, person, "?");
    const cause = { causation_id: trigger.envelope_id };
    await bench.say(id, person, "and", cause);
    await bench.say(id, person, "also", cause);
    await bench.say(id, a, "note 1", { ...cause, event_type: "app.note" });
    await bench.say(id, a, "note 2", { ...cause, event_type: "app.note" });
    await bench.say(id, a, "answer", cause);
    await expect(bench.say(id, a, "again", cause)).rejects.toThrow("already answered");
    expect((await bench.hub.readWal(id)).filter((e) => e.event_type === EV_TEXT)).toHaveLength(4);
  });
});
