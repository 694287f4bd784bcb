import { createDefaultAdapters } from "@colloquy/adapters";
import { type LinkPeer, UnavailableError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "./open-hub.js";

async function openPair() {
  const memory = createMemoryStore();
  const store = faulty(memory);
  const clock = createFakeClock();
  const { hub, context } = await assembleHub({
    store,
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    limits: { drainTimeoutMs: 500 },
  });
  const bench = createHubBench(hub);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b]);
  const codes: number[] = [];
  const peer: LinkPeer = {
    profile: "colloquy.v1",
    loopback: true,
    label: "test",
    bufferedBytes: 0,
    send: () => undefined,
    notify: () => undefined,
    close: (code) => void codes.push(code),
    cork: () => undefined,
    uncork: () => undefined,
  };
  hub.accept(peer);
  return { hub, context, memory, store, clock, codes, ...bench, a, b, id };
}

describe("close", () => {
  it("keeps what was accepted, refuses what comes, tells connections, and may be repeated", async () => {
    const { hub, memory, codes, say, a, id } = await openPair();
    const accepted = say(id, a, "accepted");
    const closing = hub.close();
    await expect(say(id, a, "late")).rejects.toThrow(UnavailableError);
    await expect(accepted).resolves.toMatchObject({ position: 4 });
    await Promise.all([closing, hub.close(), hub.drain(), hub.closed]);
    expect(codes[0]).toBe(1001);
    expect(hub.health().status).toBe("closed");
    const wal = await memory.reopen().readWal(id);
    expect(wal.envelopes).toHaveLength(4);
  });

  it("leaves no timer behind", async () => {
    const { hub, clock, say, a, id } = await openPair();
    await say(id, a, "x");
    await hub.close();
    await settle();
    expect(clock.pendingTimers).toBe(0);
  });

  it("ends although the store fails, and says so", async () => {
    const { hub, store, say, a, id } = await openPair();
    await say(id, a, "x");
    store.failNext("commit", 10);
    store.failNext("close");
    await hub.close();
    await hub.closed;
    expect(hub.health().status).toBe("closed");
  });
});

describe("drain", () => {
  it("F-089 refuses new sends, makes everything accepted durable, and tells of a restart", async () => {
    const { hub, memory, store, codes, say, a, id } = await openPair();
    const gate = store.block("commit");
    const accepted = say(id, a, "accepted");
    await settle();
    const draining = hub.drain();
    const late = say(id, a, "late");
    await expect(late).rejects.toThrow(UnavailableError);
    await expect(late).rejects.toThrow("shutting down");
    expect(hub.health().status).toBe("draining");
    gate.release();
    await accepted;
    await draining;
    expect(codes[0]).toBe(1012);
    expect((await memory.reopen().readWal(id)).envelopes).toHaveLength(4);
  });

  it("waits no longer than its limit", async () => {
    const { hub, clock, store, codes, say, a, id } = await openPair();
    const gate = store.block("commit");
    const stuck = say(id, a, "stuck");
    await settle();
    const draining = hub.drain();
    await clock.advanceAsync(499);
    expect(codes).toEqual([]);
    await clock.advanceAsync(1);
    expect(codes[0]).toBe(1012);
    gate.release();
    await Promise.all([stuck, draining]);
  });

  it("refuses opens as well", async () => {
    const { hub, open, a, b } = await openPair();
    const draining = hub.drain();
    await expect(open("conversation", a, [b])).rejects.toThrow(UnavailableError);
    await draining;
  });
});
