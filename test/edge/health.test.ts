import { createDefaultAdapters } from "@colloquy/adapters";
import { type HubLimits, openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { createPassport, createResume, type Store } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { createFakeClock, faulty, makeTempFolder, settle } from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { at, openWaitingNetwork } from "./waiting-network.js";

/** Ends what a test has opened. */
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(limits: Partial<HubLimits> = {}, freeBytes: number | null = null) {
  const clock = createFakeClock();
  const store = faulty(createMemoryStore(), { clock });
  const disk = { freeBytes };
  const shown: Store = {
    ...store,
    health: () => ({ ...store.health(), free_bytes: disk.freeBytes }),
  };
  const adapters = createDefaultAdapters();
  const hub = await openHub({ store: shown, clock, adapters, limits });
  ends.push(async () => {
    store.heal();
    await hub.close();
  });
  return { clock, store, disk, hub };
}

async function openNetwork(limits: Partial<HubLimits>) {
  const network = await openWaitingNetwork(limits);
  ends.push(() => network.end());
  return network;
}

async function serve(hub: Parameters<typeof serveWebSocket>[0]) {
  const server = await serveWebSocket(hub);
  ends.push(() => server.stop());
  return async (path: string, method = "GET") => {
    const response = await fetch(`${server.url.replace("ws:", "http:")}${path}`, { method });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return { code: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  };
}

describe("a health report", () => {
  it("proves each part by itself, the store by a commit", async () => {
    const { hub, store } = await open({}, 1_000_000_000);
    const before = store.calls("commit");
    expect(await hub.checkHealth()).toEqual({
      status: "ok",
      ready: true,
      at: at(0),
      checks: {
        commit: { status: "ok", reason: "", took_ms: 0 },
        store: { status: "ok", reason: "" },
        disk: { status: "ok", reason: "", free_bytes: 1_000_000_000 },
        delivery: { status: "ok", reason: "", lag_ms: 0 },
        turns: { status: "ok", reason: "", stuck: 0, oldest: [] },
        channels: { status: "ok", reason: "", quarantined: 0 },
      },
    });
    expect(store.calls("commit")).toBe(before + 1);
    expect(JSON.parse((await store.readRecord("meta", "health-probe")) ?? "")).toEqual({
      at: at(0),
    });
  });

  it("is given again for a while, so that asking often writes nothing", async () => {
    const { hub, store, clock } = await open({ healthCacheMs: 1_000 });
    await settle();
    const before = store.calls("commit");
    const reports = await Promise.all(Array.from({ length: 50 }, () => hub.checkHealth()));
    clock.advance(999);
    reports.push(await hub.checkHealth());
    expect(new Set(reports).size).toBe(1);
    expect(store.calls("commit")).toBe(before + 1);
    clock.advance(1);
    expect((await hub.checkHealth()).at).toBe(at(1_000));
    expect(store.calls("commit")).toBe(before + 2);
  });

  it("fails with a store that fails, and is well again with it", async () => {
    const { hub, store, clock } = await open();
    store.failNext("commit", 2);
    const failed = await hub.checkHealth();
    expect(failed).toMatchObject({ status: "failing", ready: false });
    expect(failed.checks.commit.status).toBe("failing");
    expect(failed.checks.commit.reason).toContain("disk");
    store.heal();
    await clock.advanceAsync(2_000);
    expect(await hub.checkHealth()).toMatchObject({ status: "ok", ready: true });
  });

  it("waits no longer than its time for a store that hangs, and puts nothing more before it", async () => {
    const { hub, store, clock } = await open({ healthProbeTimeoutMs: 3_000, healthCacheMs: 100 });
    await clock.advanceAsync(1_000);
    const before = store.calls("commit");
    const blockade = store.block("commit");
    const asked = hub.checkHealth();
    await clock.advanceAsync(3_000);
    const late = {
      status: "failing",
      reason: "the store has not committed within 3000 ms",
      took_ms: null,
    };
    expect(await asked).toMatchObject({
      status: "failing",
      ready: false,
      checks: { commit: late },
    });
    for (let times = 0; times < 5; times += 1) {
      clock.advance(1_000);
      expect((await hub.checkHealth()).checks.commit).toEqual(late);
    }
    expect(store.calls("commit")).toBe(before + 1);
    blockade.release();
    await settle();
    clock.advance(1_000);
    expect((await hub.checkHealth()).checks.commit).toEqual({
      status: "ok",
      reason: "",
      took_ms: 0,
    });
  });

  it("fails when there is no room on the disk, and a store that does not tell is no fault", async () => {
    const { hub, disk, clock } = await open({ minFreeDiskBytes: 1_000 }, 999);
    const full = await hub.checkHealth();
    expect(full).toMatchObject({ status: "failing", ready: false });
    expect(full.checks.disk).toEqual({
      status: "failing",
      reason: "999 bytes are free on the store's disk, below minFreeDiskBytes (1000)",
      free_bytes: 999,
    });
    disk.freeBytes = null;
    clock.advance(1_000);
    const untold = await hub.checkHealth();
    expect(untold).toMatchObject({ status: "ok", ready: true });
    expect(untold.checks.disk.status).toBe("unknown");
    disk.freeBytes = 1_000;
    clock.advance(1_000);
    expect((await hub.checkHealth()).checks.disk.status).toBe("ok");
  });

  it("knows the room on the disk of a data file", async () => {
    const folder = makeTempFolder();
    const store = await openSqliteStore({ path: folder.at("hub.db") });
    const free = store.health().free_bytes ?? 0;
    expect(Number.isInteger(free)).toBe(true);
    expect(free).toBeGreaterThan(0);
    await store.close();
    folder[Symbol.dispose]();
  });

  it("names a turn that runs too long, from the very instant on", async () => {
    const network = await openNetwork({ stuckTurnMs: 60_000, healthCacheMs: 0 });
    const alice = await network.join("alice");
    const bob = await network.join("bob");
    const channel = await alice.open({ type: "discussion", target: "bob" });
    await network.clock.advanceAsync(1_000);
    const envelope_id = await channel.send("what do you say?");
    await settle();
    await network.clock.advanceAsync(59_999);
    expect((await network.hub.checkHealth()).checks.turns).toMatchObject({
      status: "ok",
      stuck: 0,
    });
    await network.clock.advanceAsync(1);
    const report = await network.hub.checkHealth();
    expect(report).toMatchObject({ status: "degraded", ready: true });
    expect(report.checks.turns).toEqual({
      status: "degraded",
      reason: `1 running too long, the oldest that of bob since ${at(1_000)}`,
      stuck: 1,
      oldest: [
        {
          ...{ agent_id: bob.agentId, name: "bob", channel_id: channel.channelId, envelope_id },
          since: at(1_000),
        },
      ],
    });
  });

  it("measures how long an envelope waits for an agent that is connected, not for one that is away", async () => {
    const limits = { deliveryWindow: 1, maxDeliveryLagMs: 10_000, healthCacheMs: 0 };
    const network = await openNetwork(limits);
    const alice = await network.join("alice");
    const bob = await network.join("bob");
    const first = await alice.open({ type: "discussion", target: "bob" });
    const second = await alice.open({ type: "discussion", target: "bob" });
    await first.send("this takes all of the window");
    await settle();
    await network.clock.advanceAsync(1_000);
    const envelope_id = await second.send("this waits");
    await network.clock.advanceAsync(10_000);
    expect((await network.hub.checkHealth()).checks.delivery).toEqual({
      status: "ok",
      reason: "",
      lag_ms: 10_000,
    });
    await network.clock.advanceAsync(1);
    const report = await network.hub.checkHealth();
    expect(report).toMatchObject({ status: "degraded", ready: true });
    expect(report.checks.delivery).toEqual({
      status: "degraded",
      reason: `envelope ${envelope_id} of channel ${second.channelId} has waited 10001 ms for ${bob.agentId}, who is connected`,
      lag_ms: 10_001,
    });
    network.leave(bob);
    await settle();
    expect((await network.hub.checkHealth()).checks.delivery).toMatchObject({ lag_ms: 0 });
  });

  it("says at once when the hub drains, and writes nothing then", async () => {
    const { hub, store } = await open();
    expect(await hub.checkHealth()).toMatchObject({ status: "ok", ready: true });
    await hub.close();
    const before = store.calls("commit");
    const over = await hub.checkHealth();
    expect(over).toMatchObject({ status: "closed", ready: false });
    expect(over.checks.commit.reason).toBe("the hub takes nothing in");
    expect(store.calls("commit")).toBe(before);
  });
});

describe("over HTTP", () => {
  it("answers whether it lives, is ready and is well, without reasons and names", async () => {
    const { hub, store, clock } = await open({}, 1_000_000_000);
    const ask = await serve(hub);
    expect(await ask("/health/live")).toEqual({
      code: 200,
      body: { status: "alive", loop_delay_ms: expect.any(Number) },
    });
    const well = {
      status: "ok",
      ready: true,
      at: at(0),
      checks: {
        commit: { status: "ok", took_ms: 0 },
        store: { status: "ok" },
        disk: { status: "ok", free_bytes: 1_000_000_000 },
        delivery: { status: "ok", lag_ms: 0 },
        turns: { status: "ok", stuck: 0 },
        channels: { status: "ok", quarantined: 0 },
      },
    };
    expect(await ask("/health/ready")).toEqual({ code: 200, body: well });
    expect(await ask("/health")).toEqual({ code: 200, body: well });
    expect((await ask("/healthz")).code).toBe(200);
    expect((await ask("/health/else")).code).toBe(404);
    expect((await ask("/health", "POST")).code).toBe(404);

    clock.advance(1_000);
    store.failNext("commit", 9);
    for (const path of ["/health/ready", "/health"]) {
      const { code, body } = await ask(path);
      expect(code).toBe(503);
      expect(body).toMatchObject({ status: "failing", ready: false });
      expect(JSON.stringify(body)).not.toContain("reason");
    }
    expect((await ask("/health/live")).code).toBe(200);
  });

  it("stays ready and well enough while an agent is stuck", async () => {
    const network = await openNetwork({ stuckTurnMs: 60_000 });
    const alice = await network.join("alice");
    await network.join("bob");
    const channel = await alice.open({ type: "discussion", target: "bob" });
    await channel.send("what do you say?");
    await network.clock.advanceAsync(60_000);
    const ask = await serve(network.hub);
    for (const path of ["/health/ready", "/health"]) {
      expect(await ask(path)).toMatchObject({
        code: 200,
        body: { status: "degraded", ready: true, checks: { turns: { stuck: 1 } } },
      });
    }
  });

  it("lives on but is not ready while the hub drains", async () => {
    const { hub, store } = await open();
    const ask = await serve({ ...hub, closed: new Promise(() => undefined) });
    const blockade = store.block("commit");
    const joining = hub.registerIdentity({
      passport: createPassport({ name: "a" }),
      resume: createResume(),
    });
    await settle();
    const draining = hub.drain();
    expect(await ask("/health/ready")).toMatchObject({ code: 503, body: { status: "draining" } });
    expect((await ask("/health/live")).code).toBe(200);
    blockade.release();
    await joining;
    await draining;
    expect(await ask("/health/live")).toMatchObject({ code: 503, body: { status: "closed" } });
  });
});
