import { createDefaultAdapters } from "@colloquy/adapters";
import {
  channelAtStart,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  EV_PARTICIPANT_REMOVED,
  EV_TEXT,
  foldMembership,
} from "@colloquy/protocol";
import { createMemoryDisk, createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

const clock = createFakeClock();
const ids = createFakeIds();

async function openBench(disk = createMemoryDisk()) {
  const { hub, context } = await assembleHub({
    store: createMemoryStore({ disk }),
    clock,
    ids,
    adapters: createDefaultAdapters(),
    limits: { closingTimeoutMs: 5_000, inviteAckTimeoutMs: 1_000 },
  });
  return { disk, hub, context, ...createHubBench(hub) };
}

type Bench = Awaited<ReturnType<typeof openBench>>;

const reopen = async ({ hub, disk }: Bench): Promise<Bench> => {
  await hub.close();
  return openBench(disk);
};

const ack = ({ context }: Bench, agentId: string, channelId: string, envelopeId: string) =>
  context.delivery.receipt({
    ...{ recipient_id: agentId, channel_id: channelId, envelope_id: envelopeId },
    ...{ status: "ack", reason: "" },
  });

/** Settles all that these agents have outstanding in a channel. */
async function ackAll(bench: Bench, channelId: string, agentIds: readonly string[]) {
  for (const { envelope_id } of await bench.hub.readWal(channelId)) {
    for (const agentId of agentIds) ack(bench, agentId, channelId, envelope_id);
  }
  await settle();
}

async function openPair(bench: Bench) {
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b]);
  return { a, b, id };
}

describe("closing drain", () => {
  it("takes one answer to what was outstanding, and closes when nothing is", async () => {
    const bench = await openBench();
    const { a, b, id } = await openPair(bench);
    const { envelope_id: first } = await bench.say(id, a, "first");
    const { envelope_id: second } = await bench.say(id, a, "second");
    ack(bench, b, id, first);
    const closing = await bench.hub.closeChannel(id, "night", { drain: true });
    expect(closing).toMatchObject({ state: "closing", close_reason: "night", closed_at: null });
    await expect(bench.say(id, a, "new")).rejects.toThrow(/state=closing/);
    await expect(bench.say(id, b, "settled", { causation_id: first })).rejects.toThrow(/closing/);
    const answer = await bench.say(id, b, "answer", { causation_id: second });
    await expect(
      bench.say(id, a, "and again", { causation_id: answer.envelope_id }),
    ).rejects.toThrow(/state=closing/);
    expect(await bench.hub.closeChannel(id, "other", { drain: true })).toMatchObject({
      state: "closing",
      close_reason: "night",
    });
    await ackAll(bench, id, [b]);
    expect((await bench.hub.getChannel(id)).state).toBe("closing");
    await ackAll(bench, id, [a]);
    expect(await bench.hub.getChannel(id)).toMatchObject({
      state: "closed",
      close_reason: "night",
    });
    expect(await bench.texts(id)).toEqual(["first", "second", "answer"]);
    expect(bench.context.deadlines.size).toBe(0);
  });

  it("closes at its limit, whatever is outstanding, also over a restart in the middle", async () => {
    let bench = await openBench();
    const { a, b, id } = await openPair(bench);
    const { envelope_id } = await bench.say(id, a, "nobody reads this");
    await bench.hub.closeChannel(id, "night", { drain: true });
    await clock.advanceAsync(2_000);
    bench = await reopen(bench);
    expect((await bench.hub.getChannel(id)).state).toBe("closing");
    await clock.advanceAsync(2_999);
    expect((await bench.hub.getChannel(id)).state).toBe("closing");
    await clock.advanceAsync(1);
    await settle();
    expect((await bench.hub.getChannel(id)).state).toBe("closed");
    expect(bench.hub.ledger(id, envelope_id)).toMatchObject([{ recipient_id: b, state: "queued" }]);
  });

  it("goes on after a restart as soon as the rest is settled", async () => {
    let bench = await openBench();
    const { a, b, id } = await openPair(bench);
    await bench.say(id, a, "read this");
    await bench.hub.closeChannel(id, "night", { drain: true });
    bench = await reopen(bench);
    await ackAll(bench, id, [a, b]);
    expect((await bench.hub.getChannel(id)).state).toBe("closed");
  });
});

describe("participants fixed for life, over a restart", () => {
  it("has the same members, state and turn, from the WAL alone and from a snapshot", async () => {
    let bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const [c, d] = [await bench.join("c"), await bench.join("d")];
    const { channel_id: id } = await bench.open("discussion", a, [b, c]);
    await bench.say(id, a, "one");
    await bench.hub.removeParticipant(id, b);
    await bench.hub.inviteParticipant(id, d);
    await settle();
    await bench.hub.hideParticipant(id, a);
    await bench.say(id, c, "two");
    const before = [await bench.hub.getChannel(id), await bench.hub.adapterState(id)];
    bench = await reopen(bench);
    expect([await bench.hub.getChannel(id), await bench.hub.adapterState(id)]).toEqual(before);
    const adapter = await bench.hub.adapterFor(id);
    const start = channelAtStart(await bench.hub.getChannel(id));
    expect(start.participants.map(({ agent_id }) => agent_id)).toEqual([a, b, c]);
    const wal = await bench.hub.readWal(id);
    const folded = wal.reduce<unknown>((s, e) => adapter.fold(s, e), adapter.initialState(start));
    expect(folded).toEqual((await bench.hub.adapterState(id)).state);
    const members = wal.reduce(foldMembership, start);
    expect(members.participants).toEqual((await bench.hub.getChannel(id)).participants);
    const live = bench.context.channels.peek(id);
    expect([...(live?.addressed ?? [])]).toEqual([c, d]);
    await bench.say(id, d, "three");
    await expect(bench.say(id, a, "four")).rejects.toThrow(/is hidden/);
  });

  it("keeps what a removed one has not settled, its removal last, and forgets it after that", async () => {
    let bench = await openBench();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const { channel_id: id } = await bench.open("discussion", a, [b, c]);
    await bench.say(id, a, "one");
    await bench.hub.removeParticipant(id, b);
    await bench.say(id, c, "two");
    bench = await reopen(bench);
    const wal = await bench.hub.readWal(id);
    const outstanding = wal.filter(
      ({ envelope_id }) => bench.context.delivery.outstandingAt(b, id, envelope_id) !== null,
    );
    expect(outstanding.slice(-2).map(({ event_type }) => event_type)).toEqual([
      EV_TEXT,
      EV_PARTICIPANT_REMOVED,
    ]);
    await ackAll(bench, id, [b]);
    expect(bench.context.delivery.outstandingIn(id).map(({ agent_id }) => agent_id)).toEqual([
      a,
      c,
    ]);
    bench = await reopen(bench);
    const left = bench.context.delivery.outstandingIn(id).map(({ agent_id }) => agent_id);
    expect(left).not.toContain(b);
  });

  it("does not deliver late what was said to everybody before somebody joined or while it was hidden", async () => {
    let bench = await openBench();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const { channel_id: id } = await bench.open("discussion", a, [b]);
    const { envelope_id: early } = await bench.say(id, a, "early");
    await bench.hub.inviteParticipant(id, c);
    await settle();
    const { envelope_id: there } = await bench.say(id, b, "there");
    await bench.hub.hideParticipant(id, c);
    const { envelope_id: hidden } = await bench.say(id, a, "hidden");
    await bench.hub.showParticipant(id, c);
    bench = await reopen(bench);
    const has = (envelopeId: string) =>
      bench.context.delivery.outstandingAt(c, id, envelopeId) !== null;
    expect([early, there, hidden].map(has)).toEqual([false, true, false]);
  });

  it("lets an invitation lapse in time, and takes an acceptance that comes before", async () => {
    let bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const c = await bench.join("c", { invites: "silent" });
    const { channel_id: id } = await bench.open("discussion", a, [b]);
    const accept = () =>
      bench.hub.post({
        channel_id: id,
        sender_id: c,
        event_type: EV_CHANNEL_INVITE_ACK,
        event_data: { channel_id: id },
      });
    await bench.hub.inviteParticipant(id, c);
    bench = await reopen(bench);
    await clock.advanceAsync(1_000);
    await settle();
    expect((await bench.hub.getChannel(id)).invited).toBeUndefined();
    await bench.hub.inviteParticipant(id, c);
    bench = await reopen(bench);
    await accept();
    expect((await bench.hub.getChannel(id)).participants.at(-1)?.agent_id).toBe(c);
  });
});

describe("required_acks", () => {
  it("leaves out whoever has declined, before the channel opens and after", async () => {
    const bench = await openBench();
    const a = await bench.join("a", { invites: "silent" });
    const names = ["b", "c", "d", "e"];
    const others = await Promise.all(names.map((n) => bench.join(n, { invites: "silent" })));
    const [b = "", c = "", d = "", e = ""] = others;
    const opening = bench.open("discussion", a, others, { required_acks: 1 });
    await settle();
    const [channel] = await bench.hub.listChannels({ agent_id: b });
    const id = channel?.channel_id ?? "";
    const answer = (sender_id: string, event_type: string) =>
      bench.hub.post({ channel_id: id, sender_id, event_type, event_data: { channel_id: id } });
    await answer(b, EV_CHANNEL_INVITE_REJECT);
    await answer(c, EV_CHANNEL_INVITE_ACK);
    expect((await opening).state).toBe("active");
    await answer(d, EV_CHANNEL_INVITE_ACK);
    await answer(e, EV_CHANNEL_INVITE_REJECT);
    const metadata = await bench.hub.getChannel(id);
    expect(metadata.participants.map(({ agent_id }) => agent_id)).toEqual([a, c, d]);
    expect(metadata).toMatchObject({ pending_acks: [], rejected_by: [b, e] });
    await bench.say(id, a, "one");
    expect(await bench.hub.pendingTurnsFor(c)).toHaveLength(1);
  });
});
