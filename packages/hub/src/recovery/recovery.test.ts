import { createDefaultAdapters, roundRobinGraph, sequenceGraph } from "@colloquy/adapters";
import {
  type ChannelAdapter,
  createEnvelope,
  EMPTY_BATCH,
  EV_CHANNEL_CLOSED,
  EV_PACKET,
  EV_TEXT,
  NotFoundError,
  ProtocolError,
  type Store,
  type StoredEnvelope,
  StoreError,
} from "@colloquy/protocol";
import { createMemoryStore, type MemoryStore } from "@colloquy/storage-memory";
import {
  createFakeClock,
  createFakeIds,
  createHubBench,
  createRecordingLogger,
  faulty,
  settle,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubOptions } from "../context/options.js";
import { assembleHub } from "../open-hub.js";
import { chainHash, digestContent, headerOf } from "../wal/hash-chain.js";

async function openBench(
  memory: MemoryStore = createMemoryStore(),
  options: Partial<HubOptions> = {},
) {
  const store = faulty(memory);
  const logger = createRecordingLogger();
  const { hub, context } = await assembleHub({
    store,
    logger,
    clock: createFakeClock(),
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    ...options,
  });
  return { hub, context, store, memory, logger, ...createHubBench(hub) };
}

type Bench = Awaited<ReturnType<typeof openBench>>;

/** Ends a hub and opens the next one on the same store. */
async function reopen(bench: Bench, options: Partial<HubOptions> = {}, how = "close") {
  if (how === "close") await bench.hub.close();
  else bench.memory.crash();
  return openBench(bench.memory.reopen(), options);
}

/** A store whose reads show one envelope otherwise than it was written. */
function damaged(memory: MemoryStore, envelopeId: string, part: Partial<StoredEnvelope>): Store {
  const change = (stored: StoredEnvelope): StoredEnvelope =>
    stored.envelope_id === envelopeId ? { ...stored, ...part } : stored;
  return {
    ...memory,
    async recover() {
      const recovery = await memory.recover();
      async function* channels() {
        for await (const found of recovery.channels) {
          yield "tail" in found ? { ...found, tail: found.tail.map(change) } : found;
        }
      }
      return { ...recovery, channels: channels() };
    },
    async readWal(channelId, range) {
      const page = await memory.readWal(channelId, range);
      return { ...page, envelopes: page.envelopes.map(change) };
    },
  };
}

/** Writes an envelope as another version might have written it. */
async function append(
  memory: MemoryStore,
  channelId: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<StoredEnvelope> {
  const head = await memory.readHead(channelId);
  const log = await memory.readLog(0);
  const channel = await memory.readChannel(channelId);
  const ids = createFakeIds(7);
  ids.advancePast(log.at(-1)?.envelope_id ?? "");
  const envelope = {
    ...createEnvelope({ channel_id: channelId, event_type: "", event_data: {} }),
    sender_id: channel?.creator_id ?? "",
    envelope_id: ids.next(),
    ...fields,
  };
  const content_digest = digestContent(JSON.stringify(envelope.event_data));
  const position = head.position + 1;
  const stored = {
    row: log.length + 1,
    channel_id: channelId,
    position,
    prev_row: head.row,
    envelope_id: envelope.envelope_id,
    sender_id: envelope.sender_id,
    causation_id: null,
    event_type: envelope.event_type,
    hash: chainHash(head.hash, headerOf(envelope, content_digest, position)),
    content_digest,
    body: JSON.stringify(envelope),
  };
  await memory.commit({ ...EMPTY_BATCH, envelopes: [stored] });
  return stored;
}

const withoutType = (type: string) =>
  createDefaultAdapters().filter(({ manifest }) => manifest.type !== type);

describe("a hub that starts", () => {
  it("N-209 on an empty store has no agents, channels or tasks", async () => {
    const { hub } = await openBench();
    expect(await hub.listAgents()).toEqual([]);
    expect(await hub.listChannels()).toEqual([]);
    expect(await hub.listTasks()).toEqual([]);
  });

  it.each(["close", "crash"])("N-206 brings back a consulting that waits (%s)", async (how) => {
    const first = await openBench();
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: id } = await first.open("consulting", a, [b]);
    await first.say(id, a, "question");
    const { hub } = await reopen(first, {}, how);
    const channel = await hub.getChannel(id);
    expect(channel).toMatchObject({ channel_id: id, manifest: { type: "consulting" } });
    expect((await hub.adapterState(id)).state).toMatchObject({
      initiator_sent: true,
      respondent_replied: false,
    });
  });

  it("N-207 brings back whose turn it is in a discussion", async () => {
    const first = await openBench();
    const [a, b, c] = [await first.join("a"), await first.join("b"), await first.join("c")];
    const { channel_id: id } = await first.open("discussion", a, [b, c]);
    await first.say(id, a, "first");
    const second = await reopen(first);
    expect((await second.hub.adapterState(id)).state).toMatchObject({
      expected_next_speaker: b,
      last_speaker_id: a,
      turn_count: 1,
      participant_order: [a, b, c],
    });
    await second.say(id, b, "second");
    expect(await second.texts(id)).toEqual(["first", "second"]);
  });

  it("N-215 brings back a workflow after a handoff", async () => {
    const first = await openBench();
    const [t, e] = [await first.join("t"), await first.join("e")];
    const knobs = { graph: roundRobinGraph([t, e], 8) };
    const { channel_id: id } = await first.open("workflow", t, [e], { knobs });
    await first.hub.post({
      channel_id: id,
      sender_id: t,
      event_type: EV_PACKET,
      event_data: { body: "yours", routing: { kind: "handoff", tool: "pass", target: e } },
    });
    const { hub } = await reopen(first);
    expect(await hub.getChannel(id)).toMatchObject({
      state: "active",
      manifest: { type: "workflow" },
    });
    expect((await hub.adapterState(id)).state).toMatchObject({
      expected_next_speaker: e,
      last_speaker_id: t,
      turn_count: 1,
      creator_id: t,
      participant_order: [t, e],
    });
  });

  it("N-213 knows closed channels, and only open ones are active", async () => {
    const first = await openBench();
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: closed } = await first.open("conversation", a, [b]);
    const { channel_id: open } = await first.open("conversation", a, [b]);
    await first.hub.closeChannel(closed);
    const { hub, context } = await reopen(first);
    expect((await hub.getChannel(closed)).state).toBe("closed");
    expect((await hub.getChannel(open)).state).toBe("active");
    expect((await hub.listChannels()).map(({ channel_id }) => channel_id)).toEqual([closed, open]);
    expect(hub.health().active_channels).toBe(1);
    expect(context.channels.peek(closed)).toBeUndefined();
  });

  it("N-214 brings back 100 conversations of 100 texts, as often as it starts", async () => {
    const first = await openBench();
    const rule = { limits: { inbox: { max_pending: 0 } } };
    const [a, b] = [await first.join("a", { rule }), await first.join("b", { rule })];
    await first.hub.setResume(b, {
      ...(await first.hub.getResume(b)),
      claimed_capabilities: ["listening"],
    });
    const ids: string[] = [];
    for (let round = 0; round < 100; round += 1) {
      const { channel_id } = await first.open("conversation", a, [b], {
        knobs: { max_turns: 200 },
      });
      ids.push(channel_id);
      const posts = Array.from({ length: 100 }, (_, turn) =>
        first.say(channel_id, turn % 2 === 0 ? a : b, `${turn}`),
      );
      await Promise.all(posts);
    }
    const shown = async ({ hub }: Bench) => ({
      states: await Promise.all(ids.map((id) => hub.adapterState(id))),
      channels: await hub.listChannels({ limit: null }),
      listeners: hub.agentsWithCapability("listening"),
    });
    const before = await shown(first);
    const second = await reopen(first);
    const after = await shown(second);
    expect(after).toEqual(before);
    expect(after.channels.every(({ state }) => state === "active")).toBe(true);
    expect(after.channels.every(({ manifest }) => manifest.type === "conversation")).toBe(true);
    expect(after.states[99]?.state).toMatchObject({ turn_count: 100, last_speaker_id: b });
    expect(after.listeners).toEqual([b]);
    expect(await shown(await reopen(second, {}, "crash"))).toEqual(before);
  });

  it("N-205 lists a channel whose adapter is missing, but nothing can be posted", async () => {
    const first = await openBench();
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: id } = await first.open("conversation", a, [b]);
    const second = await reopen(first, { adapters: withoutType("conversation") });
    expect((await second.hub.getChannel(id)).channel_id).toBe(id);
    expect(second.hub.health().active_channels).toBe(0);
    expect((await second.hub.adapterState(id)).state).toBeNull();
    await expect(second.say(id, a, "x")).rejects.toThrow("no registered adapter");
    const [conversation] = createDefaultAdapters().filter(
      (x) => x.manifest.type === "conversation",
    );
    second.hub.registerAdapter(conversation as ChannelAdapter);
    const posting = second.say(id, a, "x");
    await expect(posting).rejects.toThrow(ProtocolError);
    await expect(posting).rejects.toThrow("no adapter state");
    const third = await reopen(second);
    await third.say(id, a, "x");
    expect(await third.texts(id)).toEqual(["x"]);
  });

  it("goes on with ids, rows and positions above everything stored, whatever the clock says", async () => {
    const first = await openBench();
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: id } = await first.open("conversation", a, [b]);
    const last = await first.say(id, a, "last");
    const second = await reopen(first, {}, "crash");
    const next = await second.say(id, b, "next");
    expect(next.envelope_id > last.envelope_id).toBe(true);
    expect(next.position).toBe(last.position + 1);
    const log = await second.memory.readLog(0);
    expect(log.map(({ row }) => row)).toEqual(log.map((_, index) => index + 1));
  });
});

describe("a broken channel", () => {
  async function openTwo() {
    const first = await openBench();
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: bad } = await first.open("conversation", a, [b]);
    const { channel_id: good } = await first.open("conversation", a, [b]);
    const text = await first.say(bad, a, "hello");
    await first.say(good, a, "hello");
    first.memory.crash();
    return { ...first, a, b, bad, good, text };
  }
  type Damage = (body: StoredEnvelope) => Partial<StoredEnvelope>;
  const damages: readonly [string, Damage, RegExp][] = [
    ["its hash does not follow", () => ({ hash: "0".repeat(64) }), /hash/],
    [
      "its content was changed",
      ({ body }) => ({ body: body.replace("hello", "hullo") }),
      /content/,
    ],
    ["its body is no JSON", () => ({ body: "{" }), /JSON/],
    ["a position is missing", () => ({ position: 9 }), /position 9 follows position 3/],
  ];

  it.each(damages)("is quarantined alone when %s", async (_how, damage, reason) => {
    const first = await openTwo();
    const memory = first.memory.reopen();
    const stored = await memory.readEnvelope(first.text.envelope_id);
    if (stored === null) throw new Error("the envelope is not stored");
    const heard: unknown[] = [];
    const { hub, say } = await openBench(memory, {
      store: damaged(memory, stored.envelope_id, damage(stored)),
      listeners: [{ onChannelEvent: (id, kind) => void heard.push([id, kind]) }],
    });
    expect(hub.health()).toMatchObject({ status: "degraded", active_channels: 1 });
    expect(hub.health().quarantined_channels[first.bad]).toMatch(reason);
    expect(heard).toEqual([[first.bad, "quarantined"]]);
    await expect(say(first.bad, first.a, "x")).rejects.toThrow(StoreError);
    await expect(say(first.bad, first.a, "x")).rejects.toThrow("is quarantined");
    expect((await hub.getChannel(first.bad)).state).toBe("active");
    expect(await hub.canSend(first.bad, first.a)).toBe(false);
    await say(first.good, first.a, "the others go on");
    expect(await hub.pendingTurnsFor(first.a)).toEqual([]);
  });

  it("F-087 is one with a core event of a newer shape; free events and unknown fields are kept", async () => {
    const first = await openTwo();
    const memory = first.memory.reopen();
    const custom = await append(memory, first.good, {
      event_type: "app.made",
      event_data: { any: ["thing"] },
      from_the_future: { kept: true },
    });
    const newer = await append(memory, first.bad, {
      event_type: EV_TEXT,
      event_data: { text: { version: 2 } },
    });
    const { hub, say } = await openBench(memory);
    expect(hub.health().quarantined_channels).toEqual({
      [first.bad]: expect.stringMatching(/position 5 cannot be read: .*event_data.*text/),
    });
    const kept = (await hub.readWal(first.good)).at(-1);
    expect(kept).toMatchObject({ event_type: "app.made", from_the_future: { kept: true } });
    const lines = hub.ledger(first.good, custom.envelope_id);
    expect(lines.map(({ recipient_id, state }) => [recipient_id, state])).toEqual([
      [first.b, "queued"],
    ]);
    expect((await hub.adapterState(first.good)).state).toMatchObject({ turn_count: 1 });
    await say(first.good, first.b, "on top of it");
    expect(await memory.readEnvelope(custom.envelope_id)).toEqual(custom);
    expect(await memory.readEnvelope(newer.envelope_id)).toEqual(newer);
  });

  it("is one whose fold throws", async () => {
    const first = await openTwo();
    const explode = createDefaultAdapters().map((adapter) => ({
      ...adapter,
      fold(state: unknown, envelope: Parameters<ChannelAdapter["fold"]>[1]) {
        if (envelope.channel_id === first.bad && envelope.event_type === EV_TEXT) {
          throw new Error("no idea");
        }
        return adapter.fold(state, envelope);
      },
    }));
    const { hub } = await openBench(first.memory.reopen(), { adapters: explode });
    expect(hub.health().quarantined_channels).toEqual({
      [first.bad]: "position 4 cannot be folded: no idea",
    });
  });

  it("F-091 is none: a read that failed once is tried again, and no empty state is served", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { channel_id: id } = await bench.open("conversation", a, [b]);
    for (let turn = 4; turn <= 50; turn += 1) await bench.say(id, a, `${turn}`);
    bench.store.failNext("commit");
    await expect(bench.say(id, b, "lost")).rejects.toThrow(StoreError);
    await settle();
    bench.context.channels.evict(id);
    bench.store.failNext("readWal");
    await expect(bench.say(id, b, "unread")).rejects.toThrow(StoreError);
    expect(bench.hub.health().quarantined_channels).toEqual({});
    expect((await bench.hub.getChannel(id)).state).toBe("active");
    const next = await bench.say(id, b, "read again");
    expect(next.position).toBe(51);
    expect((await bench.hub.adapterState(id)).state).toMatchObject({ turn_count: 48 });
    expect(await bench.hub.readWal(id)).toHaveLength(51);
  });

  it("F-091 is none when the store cannot be read at the start: it is read on first use", async () => {
    const first = await openBench(createMemoryStore(), { limits: { snapshotEvery: 2 } });
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: id } = await first.open("conversation", a, [b]);
    for (let turn = 0; turn < 5; turn += 1) await first.say(id, a, `${turn}`);
    await first.hub.close();
    const memory = first.memory.reopen();
    const store = faulty(memory);
    store.failNext("readWal");
    const { hub, say, context } = await openBench(memory, { store });
    expect(context.channels.peek(id)).toBeUndefined();
    expect(hub.health()).toMatchObject({ active_channels: 1, quarantined_channels: {} });
    await say(id, b, "now");
    expect((await hub.adapterState(id)).state).toMatchObject({ turn_count: 6 });
  });
});

describe("an ended channel", () => {
  async function endMany(count: number, options: Partial<HubOptions> = {}) {
    const bench = await openBench(createMemoryStore(), options);
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { channel_id: id } = await bench.open("conversation", a, [b]);
      await bench.say(id, a, `text ${index}`);
      await bench.hub.closeChannel(id, "done");
      ids.push(id);
    }
    return { ...bench, a, b, ids };
  }

  it("is kept in memory for readers within a bound, and read again beyond it", async () => {
    const { hub, context, ids } = await endMany(5, { limits: { endedChannelsInMemory: 2 } });
    expect(ids.map((id) => context.channels.peek(id) !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    const [oldest = ""] = ids;
    expect(await hub.getChannel(oldest)).toMatchObject({ state: "closed", close_reason: "done" });
    expect((await hub.adapterState(oldest)).state).toMatchObject({ turn_count: 1 });
    expect([...context.channels.inMemory()]).toHaveLength(2);
  });

  it("is closed for posts after a restart as well, and keeps its last word", async () => {
    const first = await endMany(1);
    const [id = ""] = first.ids;
    const second = await reopen(first);
    await expect(second.say(id, first.a, "late")).rejects.toThrow(`channel '${id}' is closed`);
    expect((await second.events(id)).at(-1)).toBe(EV_CHANNEL_CLOSED);
    expect((await second.hub.closeChannel(id)).close_reason).toBe("done");
    await expect(second.hub.getChannel("none")).rejects.toThrow(NotFoundError);
  });

  it("ends although its adapter cannot fold the end, live and after a restart", async () => {
    const stubborn = createDefaultAdapters().map((adapter) => ({
      ...adapter,
      fold(state: unknown, envelope: Parameters<ChannelAdapter["fold"]>[1]) {
        if (envelope.event_type === EV_CHANNEL_CLOSED) throw new Error("never");
        return adapter.fold(state, envelope);
      },
    }));
    const first = await endMany(1, { adapters: stubborn });
    const [id = ""] = first.ids;
    expect((await first.hub.getChannel(id)).state).toBe("closed");
    const second = await reopen(first, { adapters: stubborn });
    expect((await second.hub.adapterState(id)).state).toMatchObject({ turn_count: 1 });
  });
});

describe("snapshots", () => {
  it("are written every so many envelopes and at the close, so that a start reads the rest only", async () => {
    const first = await openBench(createMemoryStore(), { limits: { snapshotEvery: 10 } });
    const [a, b] = [await first.join("a"), await first.join("b")];
    const knobs = { graph: sequenceGraph(Array.from({ length: 60 }, (_, i) => (i % 2 ? b : a))) };
    const { channel_id: id } = await first.open("workflow", a, [b], { knobs });
    for (let turn = 0; turn < 20; turn += 1) await first.say(id, turn % 2 ? b : a, `${turn}`);
    await first.hub.audit.readAll();
    expect((await first.memory.readSnapshot(id))?.position).toBe(20);
    const before = await first.hub.adapterState(id);
    await first.hub.close();
    const memory = first.memory.reopen();
    expect((await memory.readSnapshot(id))?.position).toBe(23);
    const folds: string[] = [];
    const counting = createDefaultAdapters().map((adapter) => ({
      ...adapter,
      fold(state: unknown, envelope: Parameters<ChannelAdapter["fold"]>[1]) {
        folds.push(envelope.envelope_id);
        return adapter.fold(state, envelope);
      },
    }));
    const { hub } = await openBench(memory, { adapters: counting });
    expect(await hub.adapterState(id)).toEqual(before);
    expect(folds).toEqual([]);
  });

  it("that do not fit the WAL are passed over: all of it is folded", async () => {
    const first = await openBench();
    const [a, b] = [await first.join("a"), await first.join("b")];
    const { channel_id: id } = await first.open("conversation", a, [b]);
    await first.say(id, a, "one");
    const before = await first.hub.adapterState(id);
    await first.hub.close();
    for (const part of [{ hash: "f".repeat(64) }, { state: "{" }, { state: '{"state":1}' }]) {
      const memory = first.memory.reopen?.() ?? first.memory;
      const store: Store = {
        ...memory,
        async recover() {
          const recovery = await memory.recover();
          async function* channels() {
            for await (const found of recovery.channels) {
              if (!("tail" in found) || found.snapshot === null) yield found;
              else yield { ...found, snapshot: { ...found.snapshot, ...part } };
            }
          }
          return { ...recovery, channels: channels() };
        },
        close: async () => memory.crash(),
      };
      const { hub, logger } = await openBench(memory, { store });
      expect(await hub.adapterState(id)).toEqual(before);
      expect(logger.at("warn").map(({ message }) => message)).toContain(
        "a channel's snapshot does not fit its WAL: folding all of it",
      );
      await hub.close();
    }
  });
});
