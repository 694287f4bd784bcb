import {
  createPassport,
  createResume,
  RECORD_KINDS,
  type Store,
  type TaskState,
  TooLargeError,
  UnavailableError,
} from "@colloquy/protocol";
import { createMemoryDisk, createMemoryStore } from "@colloquy/storage-memory";
import { describe, expect, it } from "vitest";
import { openConnectionBench } from "../../../../test/edge/connection-bench.js";
import type { HubLimits } from "../core/hub-limits.js";
import { openHub } from "../open-hub.js";

async function open(
  store: Store = createMemoryStore(),
  limits: Partial<HubLimits> = { countedTasksPerAgent: 3 },
) {
  const hub = await openHub({ store, limits });
  const register = async (name: string, resume: Parameters<typeof createResume>[0] = {}) => {
    const passport = createPassport({ name });
    const stamped = await hub.registerIdentity({ passport, resume: createResume(resume) });
    return stamped.agent_id ?? "";
  };
  return { hub, register };
}

const done = (owner_id: string, task_id: string | null, latency_ms: number | null = null) => ({
  ...{ owner_id, capability: "math", outcome: "completed" as TaskState, latency_ms, task_id },
});

describe("observations", () => {
  it("N-245 count a task once, also after a restart, as long as it is among the newest", async () => {
    const disk = createMemoryDisk();
    const first = await open(createMemoryStore({ disk }));
    const ada = await first.register("ada");
    await first.hub.recordObservation(done(ada, "t1"));
    await first.hub.recordObservation(done(ada, "t1"));
    await first.hub.recordObservation({ ...done(ada, "t2"), outcome: "failed" });
    const twice = (await first.hub.getResume(ada)).observed["math"];
    expect(twice).toMatchObject({ n: 2, completed: 1, failed: 1 });
    await first.hub.close();

    const { hub, register } = await open(createMemoryStore({ disk }));
    const bob = await register("bob");
    await hub.recordObservation(done(ada, "t1"));
    await hub.recordObservation(done(bob, "t1"));
    expect((await hub.getResume(ada)).observed["math"]?.n).toBe(2);
    expect((await hub.getResume(bob)).observed["math"]?.n).toBe(1);
    for (const task of ["t3", "t4", "t5"]) await hub.recordObservation(done(ada, task));
    await hub.recordObservation(done(ada, "t3"));
    expect((await hub.getResume(ada)).observed["math"]?.n).toBe(5);
    await hub.recordObservation(done(ada, "t1"));
    expect((await hub.getResume(ada)).observed["math"]?.n).toBe(6);
    await hub.close();
  });

  it("that come at one time build upon each other", async () => {
    const { hub, register } = await open();
    const ada = await register("ada");
    const at = Array.from({ length: 50 }, (_, n) => hub.recordObservation(done(ada, `t${n}`, n)));
    const repeats = at.map((_, n) => hub.recordObservation(done(ada, `t${49 - (n % 2)}`)));
    await Promise.all([...at, ...repeats]);
    const { observed, version } = await hub.getResume(ada);
    expect([observed["math"]?.n, version]).toEqual([50, 51]);
    expect(observed["math"]?.p50_latency_ms).toBe(24);
    await hub.close();
  });

  it("give median and 95th percentile, which a restart keeps", async () => {
    const disk = createMemoryDisk();
    const first = await open(createMemoryStore({ disk }));
    const ada = await first.register("ada", { claimed_capabilities: ["art"] });
    for (let n = 1; n <= 100; n += 1) await first.hub.recordObservation(done(ada, null, n * 10));
    await first.hub.recordObservation({ ...done(ada, null), outcome: "cancelled" });
    await first.hub.recordObservation({ ...done(ada, null), outcome: "failed" });
    await first.hub.close();

    const { hub } = await open(createMemoryStore({ disk }));
    const { math, art } = await hub.getTrackRecord(ada);
    const { p50_latency_ms: p50, p95_latency_ms: p95, ...counts } = math ?? {};
    expect(Math.abs((p50 ?? 0) - 500)).toBeLessThanOrEqual(10);
    expect(Math.abs((p95 ?? 0) - 950)).toBeLessThanOrEqual(19);
    expect(counts).toEqual({
      ...{ n: 102, completed: 100, failed: 1, expired: 0, cancelled: 1 },
      ...{ claimed: false, success_rate: 100 / 101 },
    });
    expect(art).toEqual({
      ...{ n: 0, completed: 0, failed: 0, expired: 0, cancelled: 0, claimed: true },
      ...{ success_rate: null, p50_latency_ms: null, p95_latency_ms: null },
    });
    await expect(hub.getTrackRecord("nobody")).rejects.toThrow("agent not found");
    await hub.close();
  });

  it("leave nothing behind when their agent is unregistered", async () => {
    const store = createMemoryStore();
    const { hub, register } = await open(store);
    const ada = await register("ada");
    for (const task of ["t1", "t2", "t3", "t4"]) await hub.recordObservation(done(ada, task, 5));
    const late = hub.recordObservation(done(ada, "t5", 5));
    await hub.unregister(ada);
    await late;
    const left = await Promise.all(RECORD_KINDS.map((kind) => store.listRecords(kind)));
    expect(left.flat()).toEqual([]);
    await hub.close();
  });

  it("reach peers in the shape that they read: p95 only where it is asked for", async () => {
    const bench = await openConnectionBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    await bench.hub.recordObservation(done(a.id, "t1", 420));
    const { result: resume } = await b.request("get_resume", { agent_id: a.id });
    expect((resume as { observed: unknown }).observed).toEqual({
      math: { n: 1, completed: 1, failed: 0, expired: 0, p50_latency_ms: 420 },
    });
    expect(await b.request("get_track_record", { agent_id: a.id })).toMatchObject({
      ok: true,
      result: { math: { success_rate: 1, p50_latency_ms: 420, p95_latency_ms: 420 } },
    });
    const ranked = await b.request("list_agents", {
      sort_by: "track_record",
      evidence: "observed",
      capability: "math",
    });
    expect(ranked.result).toMatchObject([{ agent_id: a.id }]);
  });
});

describe("what an agent says of itself is bounded", () => {
  const long = "x".repeat(400);

  it("resumes, skill texts and further capabilities, each with a clear refusal and no trace", async () => {
    const limits = { maxResumeBytes: 400, maxSkillBytes: 100 };
    const { hub, register } = await open(createMemoryStore(), limits);
    await expect(register("big", { summary: long })).rejects.toThrow(TooLargeError);
    expect(hub.findAgentId("big")).toBeNull();
    const ada = await register("ada");
    await expect(hub.setResume(ada, createResume({ summary: long }))).rejects.toThrow("the resume");
    await expect(hub.setSkill(ada, "ä".repeat(51))).rejects.toThrow("the skill text has 102 bytes");
    await hub.setSkill(ada, "ä".repeat(50));
    const passport = createPassport({ name: "bob" });
    const bob = { passport, resume: createResume(), skill_md: "y".repeat(101) };
    await expect(hub.registerIdentity(bob)).rejects.toThrow(TooLargeError);
    await hub.recordObservation(done(ada, "t1"));
    const further = { ...done(ada, "t2"), capability: long };
    await expect(hub.recordObservation(further)).rejects.toThrow("with a further capability");
    await hub.recordObservation(done(ada, "t2"));
    expect((await hub.getResume(ada)).observed).toMatchObject({ math: { n: 2 } });
    await hub.close();
  });

  it("and so is the number of agents", async () => {
    const { hub, register } = await open(createMemoryStore(), { maxAgents: 2 });
    const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => register(name)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
    ]);
    await expect(register("d")).rejects.toThrow(UnavailableError);
    await hub.unregister(hub.findAgentId("a") ?? "");
    await register("d");
    await hub.close();
  });
});
