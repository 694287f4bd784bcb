import { createDefaultAdapters, sequenceGraph } from "@colloquy/adapters";
import {
  AccessDeniedError,
  type ChannelAdapter,
  type Envelope,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_OPENED,
  InvalidInputError,
  NetworkError,
  NotFoundError,
  ProtocolError,
  StoreError,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
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

async function openBench(options: Partial<HubOptions> = {}) {
  const clock = createFakeClock();
  const store = faulty(createMemoryStore());
  const { hub, context } = await assembleHub({
    store,
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    ...options,
  });
  return { hub, context, clock, store, ...createHubBench(hub) };
}

describe("a refused open", () => {
  /** Nothing is left of it: no channel in memory or store, no waiter, no deadline, no count. */
  async function expectNothing({ hub, context }: Awaited<ReturnType<typeof openBench>>) {
    expect(await hub.listChannels()).toEqual([]);
    expect(context.channels.openCount).toBe(0);
    expect(context.waiters.size).toBe(0);
    expect(context.deadlines.size).toBe(0);
    expect(context.committer.staged).toBe(0);
  }

  it("names a creator that is not registered", async () => {
    const bench = await openBench();
    const b = await bench.join("b");
    const opening = bench.open("conversation", "nobody", [b]);
    await expect(opening).rejects.toThrow(NotFoundError);
    await expect(opening).rejects.toThrow("creator not registered: 'nobody'");
    await expectNothing(bench);
  });

  it("N-030 refuses a participant that is listed twice", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const opening = bench.open("discussion", a, [b, b]);
    await expect(opening).rejects.toThrow(ProtocolError);
    await expect(opening).rejects.toThrow("listed twice");
    await expectNothing(bench);
  });

  it("N-031 refuses a conversation without invitees", async () => {
    const bench = await openBench();
    const a = await bench.join("a");
    const opening = bench.open("conversation", a, []);
    await expect(opening).rejects.toThrow(ProtocolError);
    await expect(opening).rejects.toThrow("at least one");
    await expectNothing(bench);
  });

  it("N-032 refuses a type that is not registered", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const opening = bench.open("séance", a, [b]);
    await expect(opening).rejects.toThrow(NotFoundError);
    await expect(opening).rejects.toThrow("no adapter");
    const version = bench.open("conversation", a, [b], { manifest_version: 7 });
    await expect(version).rejects.toThrow("no adapter for channel type 'conversation' version 7");
    await expectNothing(bench);
  });

  it("names a participant that is not registered", async () => {
    const bench = await openBench();
    const a = await bench.join("a");
    await expect(bench.open("conversation", a, ["ghost"])).rejects.toThrow(
      "participant not registered: 'ghost'",
    );
    await expectNothing(bench);
  });

  it("N-064 a workflow without a graph, naming the knob", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const opening = bench.open("workflow", a, [b], { knobs: {} });
    await expect(opening).rejects.toThrow(ProtocolError);
    await expect(opening).rejects.toThrow("graph");
    await expectNothing(bench);
  });

  it("F-017 a static graph that names somebody who takes no part", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const graph = sequenceGraph([a, "stranger"]);
    const opening = bench.open("workflow", a, [b], { knobs: { graph } });
    await expect(opening).rejects.toThrow(ProtocolError);
    await expect(opening).rejects.toThrow("stranger");
    await expectNothing(bench);
  });

  it("holds the bounds of the manifest, of the hub and of required_acks", async () => {
    const bench = await openBench({ limits: { maxParticipants: 3 } });
    const ids = await Promise.all(["a", "b", "c", "d"].map((name) => bench.join(name)));
    const [a = "", b = ""] = ids;
    await expect(bench.open("discussion", a, ids)).rejects.toThrow("maxParticipants");
    const others = ids.slice(1);
    await expect(bench.open("discussion", a, others)).rejects.toThrow("maxParticipants");
    await expect(bench.open("discussion", a, [b], { required_acks: 2 })).rejects.toThrow(
      "required_acks is 2, but only 1 invitees can accept",
    );
    const negative = bench.open("discussion", a, [b], { required_acks: -1 });
    await expect(negative).rejects.toThrow(InvalidInputError);
    await expect(bench.open("conversation", a, ids.slice(1, 3))).rejects.toThrow(/exactly/);
    await expectNothing(bench);
  });

  it("holds what all invitations weigh together, since each repeats knobs and labels", async () => {
    const bench = await openBench({ limits: { maxEnvelopeBytes: 2_000 } });
    const a = await bench.join("a");
    const invitees = await Promise.all(Array.from({ length: 100 }, (_, n) => bench.join(`m${n}`)));
    const opening = bench.open("discussion", a, invitees, { labels: { note: "x".repeat(1_200) } });
    await expect(opening).rejects.toMatchObject({
      code: "too_large",
      details: { max_bytes: 128_000 },
    });
    await expect(opening).rejects.toThrow("list fewer participants, or give smaller knobs");
    await expectNothing(bench);
  });

  it("names a time to live, a label or a knob of the wrong shape", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    for (const ttl of ["soon", 1.5, Number.MAX_SAFE_INTEGER]) {
      await expect(bench.open("conversation", a, [b], { ttl })).rejects.toMatchObject({
        code: "invalid_input",
        details: { field: "ttl" },
      });
    }
    const heavy = bench.open("conversation", a, [b], { labels: { note: "x".repeat(16_384) } });
    await expect(heavy).rejects.toThrow("labels has 16395 bytes, more than the limit of 16384");
    await expect(bench.open("conversation", a, [b], { labels: { n: 1 } })).rejects.toMatchObject({
      details: { field: "labels.n", received: "integer" },
    });
    await expect(bench.open("conversation", a, [b], { knobs: { nonsense: 1 } })).rejects.toThrow(
      /nonsense/,
    );
    await expectNothing(bench);
  });

  it("F-010 refuses knobs with a key __proto__ and changes no prototype", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const knobs = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    await expect(bench.open("conversation", a, [b], { knobs })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    await expectNothing(bench);
  });

  it("asks the arbiter about the open and about every invitation", async () => {
    const bench = await openBench();
    const a = await bench.join("a", { rule: { access: { outbound_to: ["friend-*"] } } });
    const b = await bench.join("b");
    const closed = await bench.join("closed", { rule: { access: { inbound_from: ["boss"] } } });
    await expect(bench.open("conversation", a, [b])).rejects.toThrow("not permitted to send to");
    const inbound = bench.open("conversation", b, [closed]);
    await expect(inbound).rejects.toThrow(AccessDeniedError);
    await expect(inbound).rejects.toThrow("does not accept inbound");
    await expectNothing(bench);
  });

  it("is no half-made channel when the adapter fails at any step", async () => {
    const [conversation] = createDefaultAdapters().filter(
      ({ manifest }) => manifest.type === "conversation",
    );
    for (const method of ["validateCreate", "initialState", "fold"] as const) {
      const broken = {
        ...conversation,
        [method]: () => {
          throw new TypeError("boom");
        },
      } as ChannelAdapter;
      const logger = createRecordingLogger();
      const bench = await openBench({ adapters: [broken], logger });
      const [a, b] = [await bench.join("a"), await bench.join("b")];
      const opening = bench.open("conversation", a, [b]);
      await expect(opening).rejects.toMatchObject({ code: "internal" });
      await expect(opening).rejects.toThrow(NetworkError);
      expect(logger.at("error").map(({ fields }) => fields["method"])).toEqual([method]);
      await expectNothing(bench);
    }
  });

  it("leaves nothing when its commit fails, and works when it is tried again", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    bench.store.failNext("commit");
    await expect(bench.open("conversation", a, [b])).rejects.toThrow(StoreError);
    await expectNothing(bench);
    expect((await bench.open("conversation", a, [b])).state).toBe("active");
  });
});

describe("an open", () => {
  it("N-049 opens a discussion of five when all have accepted", async () => {
    const bench = await openBench();
    const ids = await Promise.all(["a", "b", "c", "d", "e"].map((name) => bench.join(name)));
    const [creator = "", ...others] = ids;
    const channel = await bench.open("discussion", creator, others);
    expect(channel.state).toBe("active");
    expect(channel.pending_acks).toEqual([]);
    expect(channel.rejected_by).toEqual([]);
    expect(channel.participants).toHaveLength(5);
    const events = await bench.events(channel.channel_id);
    const count = (type: string) => events.filter((event) => event === type).length;
    expect(count(EV_CHANNEL_INVITE)).toBe(4);
    expect(count(EV_CHANNEL_INVITE_ACK)).toBe(4);
    expect(count(EV_CHANNEL_OPENED)).toBe(1);
    const { state } = await bench.hub.adapterState(channel.channel_id);
    expect(state).toMatchObject({
      expected_next_speaker: creator,
      participant_order: [creator, ...others],
    });
  });

  it("writes channel and invitations in one commit", async () => {
    const bench = await openBench();
    const a = await bench.join("a");
    const others = await Promise.all(
      ["b", "c"].map((name) => bench.join(name, { invites: "silent" })),
    );
    const before = bench.store.calls("commit");
    void bench.open("discussion", a, others).catch(() => undefined);
    await settle();
    expect(bench.store.calls("commit")).toBe(before + 1);
    const [channel] = await bench.hub.listChannels();
    expect(channel?.state).toBe("pending");
    const wal = await bench.hub.readWal(channel?.channel_id ?? "");
    expect(wal.map(({ audience }) => audience)).toEqual(others.map((id) => [id]));
    expect(wal[0]?.event_data).toEqual({
      channel_id: channel?.channel_id,
      manifest_type: "discussion",
      manifest_version: 1,
      creator_id: a,
      knobs: channel?.knobs,
      labels: {},
    });
    await bench.hub.close();
  });

  it("gives roles, orders, intent, labels, knobs and a life", async () => {
    const bench = await openBench();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const channel = await bench.open("discussion", b, [a, b, c], {
      intent: "plan",
      labels: { team: "x" },
      ttl: "1m",
    });
    expect(
      channel.participants.map(({ agent_id, role, order }) => [agent_id, role, order]),
    ).toEqual([
      [a, "participant", 0],
      [b, "initiator", 1],
      [c, "participant", 2],
    ]);
    expect(channel.labels).toEqual({ team: "x", intent: "plan" });
    expect(Date.parse(channel.expires_at ?? "") - Date.parse(channel.created_at)).toBe(60_000);
    const pair = await bench.open("conversation", a, [b], { ttl: 0 });
    expect(pair.participants.map(({ role }) => role)).toEqual(["initiator", "respondent"]);
    expect(pair.expires_at).toBeNull();
    const ruled = await bench.open("conversation", a, [b]);
    expect(Date.parse(ruled.expires_at ?? "") - Date.parse(ruled.created_at)).toBe(7_200_000);
  });

  it("is tied to a parent channel by a participant of it only", async () => {
    const bench = await openBench();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const parent = await bench.open("conversation", a, [b]);
    const link = { parent_channel_id: parent.channel_id };
    const child = await bench.open("consulting", b, [c], link);
    expect(child.parent_channel_id).toBe(parent.channel_id);
    await expect(bench.open("consulting", c, [a], link)).rejects.toThrow(AccessDeniedError);
    await expect(bench.open("consulting", a, [c], { parent_channel_id: "none" })).rejects.toThrow(
      NotFoundError,
    );
  });

  it("copies the manifest, so that nothing later reaches into it", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const channel = await bench.open("conversation", a, [b]);
    expect(channel.manifest).not.toBe((await bench.hub.adapterFor(channel.channel_id)).manifest);
    expect(Object.isFrozen(channel.participants)).toBe(true);
  });

  it("tells listeners of created and opened, in order, once each is durable", async () => {
    const bench = await openBench();
    const heard: string[] = [];
    bench.hub.addListener({
      onChannelEvent: (_id, kind) => void heard.push(kind),
      onEnvelopePosted: (envelope: Envelope) => void heard.push(envelope.event_type),
    });
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    await bench.open("conversation", a, [b]);
    expect(heard).toEqual([EV_CHANNEL_INVITE, "created", EV_CHANNEL_OPENED, "opened"]);
  });
});
