import { createDefaultAdapters } from "@colloquy/adapters";
import {
  AccessDeniedError,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  ProtocolError,
  UnavailableError,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openBench(store = faulty(createMemoryStore()), clock = createFakeClock()) {
  const { hub, context } = await assembleHub({
    store,
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    limits: { inviteAckTimeoutMs: 200 },
  });
  const bench = createHubBench(hub);
  const answer = (channelId: string, sender: string, event_type: string, cause: string | null) =>
    hub.post({
      channel_id: channelId,
      sender_id: sender,
      event_type,
      event_data: { channel_id: channelId, reason: "busy" },
      causation_id: cause,
    });
  /** Opens a discussion whose invitees do nothing by themselves. */
  const invite = async (creator: string, others: readonly string[], options = {}) => {
    const outcome = bench.open("discussion", creator, others, options).then(
      (metadata) => ({ metadata, error: null }),
      (error: unknown) => ({ metadata: null, error }),
    );
    await settle();
    const channels = await hub.listChannels({ agent_id: creator });
    const channelId = channels.at(-1)?.channel_id ?? "";
    const wal = await hub.readWal(channelId);
    const invites = wal.map(({ envelope_id }) => envelope_id);
    return { outcome, channelId, invites };
  };
  const silent = (name: string) => bench.join(name, { invites: "silent" });
  return { hub, context, store, clock, ...bench, answer, invite, silent };
}

describe("handshake", () => {
  it("N-027 fails with an ack timeout when an invitee does not answer", async () => {
    const { clock, context, silent, invite, hub } = await openBench();
    const [a, b] = [await silent("a"), await silent("b")];
    const { outcome, channelId } = await invite(a, [b]);
    await clock.advanceAsync(199);
    expect((await hub.getChannel(channelId)).state).toBe("pending");
    await clock.advanceAsync(1);
    const { error } = await outcome;
    expect(error).toBeInstanceOf(ProtocolError);
    expect(String(error)).toContain("ack timeout");
    expect(await hub.getChannel(channelId)).toMatchObject({
      state: "closed",
      close_reason: "invite_timeout",
      pending_acks: [b],
    });
    expect(context.waiters.size).toBe(0);
  });

  it("N-051 fails as a whole when one invitee declines", async () => {
    const bench = await openBench();
    const a = await bench.join("a");
    const b = await bench.join("b");
    const c = await bench.join("c", { invites: "reject" });
    const opening = bench.open("discussion", a, [b, c]);
    await expect(opening).rejects.toThrow(ProtocolError);
    await expect(opening).rejects.toThrow("rejected");
    const [channel] = await bench.hub.listChannels();
    expect(channel).toMatchObject({
      state: "closed",
      close_reason: "invite_rejected",
      rejected_by: [c],
    });
  });

  it("answers go into the WAL with their cause and are passed on to nobody", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.silent("a"), await bench.silent("b")];
    const posted: string[] = [];
    bench.hub.addListener({ onEnvelopePosted: (e) => void posted.push(e.event_type) });
    const { outcome, channelId, invites } = await bench.invite(a, [b]);
    const { envelope_id } = await bench.answer(
      channelId,
      b,
      EV_CHANNEL_INVITE_ACK,
      invites[0] ?? "",
    );
    expect((await outcome).metadata?.state).toBe("active");
    expect(posted).not.toContain(EV_CHANNEL_INVITE_ACK);
    expect(bench.hub.ledger(channelId, envelope_id)).toEqual([]);
    const wal = await bench.hub.readWal(channelId);
    expect(wal[1]).toMatchObject({ envelope_id, causation_id: invites[0], sender_id: b });
  });

  it("a second answer to one invitation is the first one again", async () => {
    const bench = await openBench();
    const [a, b, c] = [await bench.silent("a"), await bench.silent("b"), await bench.silent("c")];
    const { channelId, invites } = await bench.invite(a, [b, c]);
    const first = await bench.answer(channelId, b, EV_CHANNEL_INVITE_ACK, invites[0] ?? "");
    const second = await bench.answer(channelId, b, EV_CHANNEL_INVITE_ACK, invites[0] ?? "");
    expect(second).toEqual({ ...first, duplicate: true });
    expect((await bench.hub.readWal(channelId)).length).toBe(3);
    await bench.hub.close();
  });

  it("refuses answers from the creator and from outsiders", async () => {
    const bench = await openBench();
    const [a, b, c] = [await bench.silent("a"), await bench.silent("b"), await bench.silent("c")];
    const { channelId } = await bench.invite(a, [b]);
    for (const type of [EV_CHANNEL_INVITE_ACK, EV_CHANNEL_INVITE_REJECT]) {
      await expect(bench.answer(channelId, a, type, null)).rejects.toThrow(
        "only an invitee may answer",
      );
      await expect(bench.answer(channelId, c, type, null)).rejects.toThrow(AccessDeniedError);
    }
    expect((await bench.hub.getChannel(channelId)).state).toBe("pending");
    await bench.hub.close();
  });

  it("opens at the quorum of required_acks, and late answers are noted", async () => {
    const bench = await openBench();
    const a = await bench.silent("a");
    const others = await Promise.all(["b", "c", "d"].map((name) => bench.silent(name)));
    const [b = "", c = "", d = ""] = others;
    const { outcome, channelId } = await bench.invite(a, others, { required_acks: 2 });
    await bench.answer(channelId, b, EV_CHANNEL_INVITE_REJECT, null);
    expect((await bench.hub.getChannel(channelId)).state).toBe("pending");
    await bench.answer(channelId, c, EV_CHANNEL_INVITE_ACK, null);
    await bench.answer(channelId, d, EV_CHANNEL_INVITE_ACK, null);
    expect((await outcome).metadata).toMatchObject({
      state: "active",
      required_acks: 2,
      pending_acks: [],
      rejected_by: [b],
    });
  });

  it("opens before the rest has answered, and their answers change no state", async () => {
    const bench = await openBench();
    const a = await bench.silent("a");
    const others = await Promise.all(["b", "c", "d"].map((name) => bench.silent(name)));
    const [b = "", c = "", d = ""] = others;
    const { outcome, channelId } = await bench.invite(a, others, { required_acks: 1 });
    await bench.answer(channelId, b, EV_CHANNEL_INVITE_ACK, null);
    expect((await outcome).metadata).toMatchObject({ state: "active", pending_acks: [c, d] });
    await bench.answer(channelId, c, EV_CHANNEL_INVITE_ACK, null);
    await bench.answer(channelId, d, EV_CHANNEL_INVITE_REJECT, null);
    expect(await bench.hub.getChannel(channelId)).toMatchObject({
      state: "active",
      pending_acks: [],
      rejected_by: [d],
    });
  });

  it("fails once the quorum is out of reach", async () => {
    const bench = await openBench();
    const a = await bench.silent("a");
    const others = await Promise.all(["b", "c", "d"].map((name) => bench.silent(name)));
    const [b = "", c = ""] = others;
    const { outcome, channelId } = await bench.invite(a, others, { required_acks: 2 });
    await bench.answer(channelId, b, EV_CHANNEL_INVITE_REJECT, null);
    await bench.answer(channelId, c, EV_CHANNEL_INVITE_REJECT, null);
    expect(String((await outcome).error)).toContain("rejected");
    expect((await bench.hub.getChannel(channelId)).rejected_by).toEqual([b, c]);
  });

  it("opens at once when nobody need accept", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.silent("a"), await bench.silent("b")];
    const { outcome, channelId } = await bench.invite(a, [b], { required_acks: 0 });
    expect((await outcome).metadata).toMatchObject({ state: "active", pending_acks: [b] });
    await bench.clock.advanceAsync(1_000);
    expect((await bench.hub.getChannel(channelId)).state).toBe("active");
  });

  it("a pending channel keeps its deadline over a restart", async () => {
    const memory = createMemoryStore();
    const first = await openBench(faulty(memory));
    const [a, b] = [await first.silent("a"), await first.silent("b")];
    const { channelId } = await first.invite(a, [b]);
    await first.clock.advanceAsync(150);
    memory.crash();
    const second = await openBench(faulty(memory.reopen()), first.clock);
    await second.clock.advanceAsync(49);
    expect((await second.hub.getChannel(channelId)).state).toBe("pending");
    await second.clock.advanceAsync(1);
    expect((await second.hub.getChannel(channelId)).close_reason).toBe("invite_timeout");
  });

  it("a late ack after a restart still opens the channel", async () => {
    const memory = createMemoryStore();
    const first = await openBench(faulty(memory));
    const [a, b] = [await first.silent("a"), await first.silent("b")];
    const { channelId, invites } = await first.invite(a, [b]);
    memory.crash();
    const second = await openBench(faulty(memory.reopen()), first.clock);
    await second.answer(channelId, b, EV_CHANNEL_INVITE_ACK, invites[0] ?? "");
    expect((await second.hub.getChannel(channelId)).state).toBe("active");
    await second.clock.advanceAsync(1_000);
    expect((await second.hub.getChannel(channelId)).state).toBe("active");
  });

  it("an ack whose commit failed is as if it had not been, and can be given again", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.silent("a"), await bench.silent("b")];
    const { outcome, channelId, invites } = await bench.invite(a, [b]);
    bench.store.failNext("commit");
    const cause = invites[0] ?? "";
    await expect(bench.answer(channelId, b, EV_CHANNEL_INVITE_ACK, cause)).rejects.toMatchObject({
      code: "store_failed",
    });
    await settle();
    expect((await bench.hub.getChannel(channelId)).state).toBe("pending");
    await bench.answer(channelId, b, EV_CHANNEL_INVITE_ACK, cause);
    expect((await outcome).metadata?.state).toBe("active");
  });

  it("a timeout whose commit failed is tried again", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.silent("a"), await bench.silent("b")];
    const { outcome, channelId } = await bench.invite(a, [b]);
    await bench.clock.advanceAsync(150);
    bench.store.failNext("commit");
    await bench.clock.advanceAsync(50);
    expect((await bench.hub.getChannel(channelId)).state).toBe("pending");
    await bench.clock.advanceAsync(5_000);
    expect(String((await outcome).error)).toContain("ack timeout");
  });

  it("a creator that waits is told when the hub closes", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.silent("a"), await bench.silent("b")];
    const { outcome } = await bench.invite(a, [b]);
    await bench.hub.close();
    expect((await outcome).error).toBeInstanceOf(UnavailableError);
  });

  it("nothing is said before the channel is active", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.silent("a"), await bench.silent("b")];
    const { channelId } = await bench.invite(a, [b]);
    await expect(bench.say(channelId, a, "early")).rejects.toThrow("not active (state=pending)");
    await bench.hub.close();
  });
});
