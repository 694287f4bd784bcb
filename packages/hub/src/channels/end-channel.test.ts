import { createDefaultAdapters } from "@colloquy/adapters";
import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_TASK_CANCEL_REQUEST,
  EV_TEXT,
  NotFoundError,
  ProtocolError,
  StoreError,
  TooLargeError,
  taskMetadataSchema,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openBench(memory = createMemoryStore(), clock = createFakeClock()) {
  const store = faulty(memory);
  const { hub, context } = await assembleHub({
    store,
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
  });
  return { hub, context, store, memory, clock, ...createHubBench(hub) };
}

async function openPair(options: Readonly<Record<string, unknown>> = {}) {
  const bench = await openBench();
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b], options);
  return { ...bench, a, b, id };
}

describe("closing", () => {
  it("N-044 gives the closed metadata, and nothing can be posted afterwards", async () => {
    const { hub, say, a, id } = await openPair();
    const closed = await hub.closeChannel(id, "done");
    expect(closed).toMatchObject({ state: "closed", close_reason: "done" });
    await expect(say(id, a, "late")).rejects.toThrow(ProtocolError);
    expect(await hub.getChannel(id)).toEqual(closed);
  });

  it("N-025 keeps the very state object and the metadata readable", async () => {
    const { hub, say, a, id } = await openPair();
    await say(id, a, "hello");
    const { state } = await hub.adapterState(id);
    await hub.closeChannel(id);
    expect((await hub.adapterState(id)).state).toBe(state);
    expect((await hub.getChannel(id)).state).toBe("closed");
  });

  it("N-026 leaves no waiter, deadline, index or open entry behind after 20 channels", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    for (let round = 0; round < 20; round += 1) {
      const { channel_id } = await bench.open("conversation", a, [b]);
      await bench.say(channel_id, a, `text ${round}`);
      await bench.hub.closeChannel(channel_id);
    }
    const { context } = bench;
    expect(context.waiters.size).toBe(0);
    expect(context.deadlines.size).toBe(0);
    expect(context.channels.openCount).toBe(0);
    expect(context.channels.openOf(a)).toEqual([]);
    expect(context.channels.openCreatedBy(a)).toBe(0);
  });

  it("writes metadata and the last envelope in one commit, which every member is sent", async () => {
    const { hub, store, a, b, id } = await openPair();
    const commits = store.calls("commit");
    await hub.closeChannel(id, "done");
    expect(store.calls("commit")).toBe(commits + 1);
    const last = (await hub.readWal(id)).at(-1);
    expect(last).toMatchObject({
      event_type: EV_CHANNEL_CLOSED,
      sender_id: a,
      audience: [a, b],
      event_data: { reason: "done", channel_id: id },
    });
    expect(hub.ledger(id, last?.envelope_id ?? "").map(({ recipient_id }) => recipient_id)).toEqual(
      [a, b],
    );
  });

  it("lets the first end win, however many are asked for at once", async () => {
    const { hub, id, events } = await openPair();
    const results = await Promise.all([
      hub.closeChannel(id, "first"),
      hub.closeChannel(id, "second"),
      hub.closeChannel(id),
    ]);
    expect(results.map(({ close_reason }) => close_reason)).toEqual(["first", "first", "first"]);
    expect((await hub.closeChannel(id, "later")).close_reason).toBe("first");
    expect((await events(id)).filter((type) => type === EV_CHANNEL_CLOSED)).toHaveLength(1);
  });

  it("has a reason of its own when none is given, and knows no unknown channel", async () => {
    const { hub, id } = await openPair();
    expect((await hub.closeChannel(id)).close_reason).toBe("explicit_close");
    await expect(hub.closeChannel("nothing")).rejects.toThrow(NotFoundError);
  });

  it("ends the channel's tasks first", async () => {
    const { hub, a, id } = await openPair();
    const heard: string[] = [];
    hub.addListener({
      onTaskEvent: (_id, kind) => void heard.push(`task ${kind}`),
      onChannelEvent: (_id, kind) => void heard.push(`channel ${kind}`),
    });
    await hub.observeTask({
      task_id: "t1",
      owner_id: a,
      spec: { title: "t", description: "", payload: {}, capability: null },
      state: "running",
      created_at: "",
      started_at: null,
      completed_at: null,
      expires_at: null,
      last_progress_at: null,
      progress: {},
      result: null,
      error: "",
      channel_id: id,
    });
    await hub.closeChannel(id);
    expect(heard).toEqual(["task expired", "channel closed"]);
    expect(await hub.getTask("t1")).toMatchObject({ state: "expired", error: "channel_closed" });
  });

  it("changes nothing when its commit fails, and can be repeated", async () => {
    const { hub, store, context, say, a, id } = await openPair();
    store.failNext("commit");
    await expect(hub.closeChannel(id, "lost")).rejects.toThrow(StoreError);
    await settle();
    expect((await hub.getChannel(id)).state).toBe("active");
    expect(context.channels.openOf(a)).toEqual([id]);
    await say(id, a, "still here");
    expect((await hub.closeChannel(id, "done")).close_reason).toBe("done");
  });

  it("refuses a reason that no envelope could hold", async () => {
    const { hub, id } = await openPair();
    await expect(hub.closeChannel(id, "r".repeat(1_000_001))).rejects.toThrow(TooLargeError);
    expect((await hub.getChannel(id)).state).toBe("active");
  });

  it("leaves the tasks of a channel alone whose end has failed", async () => {
    const { hub, store, clock, a, id } = await openPair();
    const spec = { title: "t", description: "", payload: {}, capability: null };
    const rest = { owner_id: a, spec, state: "running" as const, channel_id: id };
    await hub.observeTask(taskMetadataSchema.parse({ task_id: "t1", ...rest }));
    store.failNext("commit");
    await expect(hub.closeChannel(id)).rejects.toThrow(StoreError);
    await clock.advanceAsync(60_000);
    expect((await hub.getChannel(id)).state).toBe("active");
    expect((await hub.getTask("t1")).state).toBe("running");
    await hub.closeChannel(id);
    expect((await hub.getTask("t1")).state).toBe("expired");
  });

  it("is shown to nobody before it is durable", async () => {
    const { hub, store, id } = await openPair();
    const gate = store.block("commit");
    const closing = hub.closeChannel(id);
    await settle();
    expect((await hub.getChannel(id)).state).toBe("active");
    gate.release();
    await closing;
    expect((await hub.getChannel(id)).state).toBe("closed");
  });
});

describe("an adapter that closes", () => {
  it("ends the channel in the commit of the envelope that caused it", async () => {
    const { hub, store, join, open, say } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("consulting", a, [b]);
    await say(id, a, "question");
    const commits = store.calls("commit");
    await say(id, b, "answer");
    expect(store.calls("commit")).toBe(commits + 1);
    expect(await hub.getChannel(id)).toMatchObject({
      state: "closed",
      close_reason: "consulting_complete",
    });
    const wal = await hub.readWal(id);
    expect(wal.slice(-2).map(({ event_type }) => event_type)).toEqual([EV_TEXT, EV_CHANNEL_CLOSED]);
  });

  it("F-018 leaves the close as the last entry, whoever was on the way", async () => {
    const { hub, store, join, open, say, events } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("consulting", a, [b]);
    await say(id, a, "question");
    const invoked: Envelope[] = [];
    hub.addListener({ onEnvelopePosted: (envelope) => void invoked.push(envelope) });
    const gate = store.block("commit");
    const answer = say(id, b, "answer");
    const inFlight = say(id, a, "one more thing");
    await expect(inFlight).rejects.toThrow(`channel '${id}' is closed`);
    const note = hub.post({
      channel_id: id,
      sender_id: a,
      event_type: EV_TASK_CANCEL_REQUEST,
      event_data: { task_id: "t", reason: "late" },
    });
    await expect(note).rejects.toThrow("is closed");
    gate.release();
    await answer;
    expect((await events(id)).at(-1)).toBe(EV_CHANNEL_CLOSED);
    expect(invoked.map(({ event_data }) => event_data["text"])).toEqual(["answer"]);
  });

  it("F-032 takes one of two answers that arrive together", async () => {
    const { join, open, say, texts, events, hub } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("consulting", a, [b]);
    await say(id, a, "question");
    const outcomes = await Promise.allSettled([say(id, b, "yes"), say(id, b, "no")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(ProtocolError);
    expect(await texts(id)).toEqual(["question", "yes"]);
    expect((await events(id)).filter((type) => type === EV_CHANNEL_CLOSED)).toHaveLength(1);
    expect((await hub.getChannel(id)).close_reason).toBe("consulting_complete");
  });
});

describe("time to live", () => {
  it("expires a channel at its time, once", async () => {
    const { hub, clock, id, events } = await openPair({ ttl: 60 });
    const heard: string[] = [];
    hub.addListener({ onChannelEvent: (_id, kind) => void heard.push(kind) });
    await clock.advanceAsync(59_000);
    expect((await hub.getChannel(id)).state).toBe("active");
    await clock.advanceAsync(1_000);
    expect(await hub.getChannel(id)).toMatchObject({
      state: "expired",
      close_reason: "ttl_expired",
    });
    expect((await events(id)).at(-1)).toBe(EV_CHANNEL_EXPIRED);
    await clock.advanceAsync(600_000);
    expect(heard).toEqual(["expired"]);
  });

  it("expires what is due on request, and tells how many", async () => {
    const { hub, clock, id } = await openPair({ ttl: 60 });
    expect(await hub.expireDue()).toBe(0);
    clock.set(clock.now() + 61_000);
    expect(await hub.expireDue()).toBe(1);
    expect((await hub.getChannel(id)).state).toBe("expired");
  });

  it("goes on over a restart, and expires at once what was due meanwhile", async () => {
    const first = await openPair({ ttl: 60 });
    await first.hub.close();
    const soon = await openBench(first.memory.reopen(), first.clock);
    await soon.clock.advanceAsync(30_000);
    expect((await soon.hub.getChannel(first.id)).state).toBe("active");
    await soon.hub.close();
    first.clock.advance(40_000);
    const late = await openBench(soon.memory.reopen(), first.clock);
    await late.clock.advanceAsync(0);
    expect((await late.hub.getChannel(first.id)).state).toBe("expired");
  });
});
