import { createDefaultAdapters } from "@colloquy/adapters";
import { EV_CHANNEL_CLOSED, EV_CHANNEL_INVITE_ACK, StoreError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openPair() {
  const store = faulty(createMemoryStore());
  const clock = createFakeClock();
  const { hub, context } = await assembleHub({
    store,
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
  });
  const bench = { hub, context, store, clock, ...createHubBench(hub) };
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b]);
  return { ...bench, a, b, id };
}

describe("an end that is asked for while a commit fails", () => {
  it("stands on what is stored, whenever it comes", async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      const { hub, store, say, open, events, a, b, id } = await openPair();
      const { channel_id: other } = await open("conversation", a, [b]);
      const gate = store.block("commit");
      store.failNext("commit");
      const lost = say(id, a, "lost");
      await settle();
      gate.release();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const closing = hub.closeChannel(id, "done");
      const beside = settle(0).then(() => say(other, a, "beside"));
      await expect(lost).rejects.toThrow(StoreError);
      const outcomes = await Promise.allSettled([closing, beside]);
      const closed = outcomes[0]?.status === "fulfilled";
      expect((await events(id)).includes(EV_CHANNEL_CLOSED)).toBe(closed);
      if (outcomes[0]?.status === "rejected") {
        expect(String(outcomes[0].reason)).not.toContain("does not continue the log");
      }
      if (outcomes[1]?.status === "rejected") {
        expect(String(outcomes[1].reason)).not.toContain("does not continue the log");
      }
    }
  });
});

describe("an end of which nobody knows whether it was written", () => {
  it("counts when it was: the channel is open to nobody any more", async () => {
    const { hub, context, store, id, a } = await openPair();
    store.tearNext("written");
    await expect(hub.closeChannel(id)).rejects.toThrow(StoreError);
    await settle();
    expect((await hub.getChannel(id)).state).toBe("closed");
    expect(context.channels.openOf(a)).toEqual([]);
    expect(hub.health().active_channels).toBe(0);
  });
});

describe("an open whose channel cannot be read any more", () => {
  it("fails when its time is up, instead of never", async () => {
    const { hub, store, clock, join, a } = await openPair();
    const silent = await join("silent", { invites: "silent" });
    const input = { creator_id: a, manifest_type: "conversation", participants: [silent] };
    const opening = hub.createChannel(input);
    const failed = opening.catch(String);
    await settle();
    const id = (await hub.listChannels()).at(-1)?.channel_id ?? "";
    store.failNext("commit");
    const event_data = { channel_id: id };
    const ack = hub.post({
      ...{ channel_id: id, sender_id: silent, event_type: EV_CHANNEL_INVITE_ACK, event_data },
    });
    await expect(ack).rejects.toThrow(StoreError);
    store.failNext("readChannel", 1_000);
    await clock.advanceAsync(60_000);
    const late = settle().then(() => "nothing");
    expect(await Promise.race([failed, late])).toContain("StoreError");
    store.heal();
    await clock.advanceAsync(10_000);
    expect((await hub.getChannel(id)).close_reason).toBe("invite_timeout");
  });
});
