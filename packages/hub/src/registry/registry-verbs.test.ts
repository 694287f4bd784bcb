import {
  AccessDeniedError,
  AuthError,
  createPassport,
  createResume,
  createRule,
  InvalidInputError,
  NotFoundError,
  type PassportInput,
  ProtocolError,
  providerHandle,
  type ResumeInput,
  type RuleInput,
  type Store,
  StoreError,
  UnavailableError,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createRecordingLogger } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createApiKeyAuth } from "../auth/api-key-auth.js";
import { createAuthRegistry } from "../auth/create-auth-registry.js";
import { createNoAuth } from "../auth/no-auth.js";
import { createCommitter } from "../commit/group-committer.js";
import { DEFAULT_HUB_LIMITS } from "../core/hub-limits.js";
import { createListeners } from "../observe/listeners.js";
import { createMemoryAuditLog } from "../observe/memory-audit-log.js";
import type { Arbiter } from "../policy/arbiter.js";
import { createRuleArbiter } from "../policy/rule-arbiter.js";
import { createAgentTable } from "./mutable-agent-table.js";
import { createRegistry } from "./registry-verbs.js";

/** A registry with everything under it, on a store that may have been used before. */
async function open(store: Store = createMemoryStore()) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const committer = createCommitter({
    store,
    clock,
    logger,
    startRow: 0,
    onFailed: () => undefined,
  });
  const agents = createAgentTable();
  const listeners = createListeners(logger);
  const events: string[] = [];
  listeners.add({ onAgentEvent: (id, kind) => void events.push(`${kind} ${agents.nameFor(id)}`) });
  const dropped: string[] = [];
  const context = {
    ...{ clock, logger, store, committer, agents, listeners },
    audit: createMemoryAuditLog({ clock }),
    ids: createFakeIds(),
    auth: createAuthRegistry([createNoAuth(), createApiKeyAuth({ keys: { keyed: "s3cret" } })]),
    delivery: { drop: (id: string) => void dropped.push(id), connectionOf: () => null },
    allowances: { drop: () => undefined },
    arbiter: createRuleArbiter() as Arbiter,
    accepting: true,
    limits: DEFAULT_HUB_LIMITS,
  };
  const registry = createRegistry(context);
  registry.restore((await store.recover()).records);
  const register = (
    passport: PassportInput,
    rest: { resume?: ResumeInput; rule?: RuleInput; skill_md?: string } = {},
  ) =>
    registry.registerIdentity({
      passport: createPassport(passport),
      resume: createResume(rest.resume),
      rule: rest.rule ? createRule(rest.rule) : null,
      skill_md: rest.skill_md,
    });
  const idOf = async (name: string) => (await register({ name })).agent_id ?? "";
  const stored = async (id: string) =>
    Promise.all(
      (["agent", "resume", "rule", "skill"] as const).map((kind) => store.readRecord(kind, id)),
    );
  return { ...context, context, registry, register, idOf, stored, events, dropped };
}

/** A memory store of which these commits fail, counted from 1. */
function failingCommits(failing: readonly number[]): Store {
  const store = createMemoryStore();
  let commits = 0;
  return {
    ...store,
    commit(batch) {
      commits += 1;
      return failing.includes(commits)
        ? Promise.reject(new StoreError("disk full"))
        : store.commit(batch);
    },
  };
}

describe("registerIdentity", () => {
  it("N-010 stamps the passport, and its name leads to its id", async () => {
    const { register, agents } = await open();
    const passport = await register({ name: "ada", owner: "lab" });
    expect(passport).toMatchObject({
      name: "ada",
      owner: "lab",
      created_at: "2026-01-01T00:00:00.000000+00:00",
    });
    expect(passport.agent_id).toMatch(/^[0-9a-f]{32}$/);
    expect(agents.idOf("ada")).toBe(passport.agent_id);
  });

  it("N-004 refuses a name that is taken, and names its holder", async () => {
    const { register, registry } = await open();
    const first = await register({ name: "ada" });
    const again = register({ name: "ada" });
    await expect(again).rejects.toBeInstanceOf(ProtocolError);
    await expect(again).rejects.toThrow(
      `already registered by agent ${first.agent_id}; attach to it, or choose another name`,
    );
    expect(await registry.listAgents()).toHaveLength(1);
  });

  it("lets one of three registrations at one time win, and the name free after a failure", async () => {
    const { register, registry } = await open();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => register({ name: "ada" })));
    const won = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? outcome.value : [],
    );
    const lost = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? outcome.reason : [],
    );
    expect(won).toHaveLength(1);
    expect(lost).toHaveLength(2);
    for (const error of lost) {
      expect(error).toBeInstanceOf(ProtocolError);
      expect(error.message).toContain("already registered");
    }
    expect(await registry.listAgents()).toEqual(won);
  });

  it("F-007 refuses a name that readers could confuse with one that is taken", async () => {
    const { register, registry } = await open();
    await register({ name: "Planner" });
    for (const name of ["planner", "PLANNER", "Ｐlanner", "Plan\u200Bner"]) {
      await expect(register({ name })).rejects.toThrow("already registered as 'Planner'");
    }
    await expect(register({ name: "planner " })).rejects.toBeInstanceOf(InvalidInputError);
    expect((await registry.getAgent("planner")).name).toBe("Planner");
    expect(await registry.listAgents()).toHaveLength(1);
  });

  it("refuses names outside the rule, and those of the form of an id", async () => {
    const { register, registry } = await open();
    for (const name of ["", "x".repeat(65), "a\nb", "system", "a]b", "a: b"]) {
      await expect(register({ name })).rejects.toThrow(/A name has 1 to 64 characters/);
    }
    await expect(register({ name: "0123456789abcdef".repeat(2) })).rejects.toThrow(ProtocolError);
    await expect(register({ name: "0123456789ABCDEF".repeat(2) })).rejects.toThrow(ProtocolError);
    expect(await registry.listAgents()).toEqual([]);
  });

  it("takes names that a provider would not, which have a handle of their own", async () => {
    const { register, registry } = await open();
    const names = ["Order Desk", "naïve-agent", "Order_Desk", "会议"];
    for (const name of names) await register({ name });
    expect((await registry.listAgents()).map(({ name }) => name)).toEqual(names);
    const handles = names.map(providerHandle);
    for (const handle of handles) expect(handle).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(handles).size).toBe(names.length);
  });

  it("N-197 refuses a wrong claim before anything is stored", async () => {
    const { register, registry, ids } = await open();
    const wrong = { scheme: "api_key", claim: { token: "guess" } };
    await expect(register({ name: "keyed", auth: wrong })).rejects.toBeInstanceOf(AuthError);
    await expect(register({ name: "x", auth: { scheme: "odd" } })).rejects.toThrow(
      "unknown auth scheme 'odd'",
    );
    expect(await registry.listAgents()).toEqual([]);
    expect(ids.next()).toBe(createFakeIds().next());
  });

  it("never stores, returns or announces a claim", async () => {
    const { register, registry, agents, listeners, stored } = await open();
    const seen: unknown[] = [];
    listeners.add({ onAgentEvent: (...event) => void seen.push(event) });
    const auth = { scheme: "api_key", claim: { token: "s3cret" } };
    const passport = await register({ name: "keyed", auth });
    const id = passport.agent_id ?? "";
    const everything = [passport, await registry.getAgent("keyed"), await registry.listAgents()];
    const kept = [agents.get(id), await stored(id), seen];
    expect(JSON.stringify([everything, kept])).not.toContain("s3cret");
    expect(passport.auth).toMatchObject({ scheme: "api_key", claim: {} });
    expect(seen).toHaveLength(1);
  });

  it("asks no authenticator about a remote agent", async () => {
    const { register } = await open();
    const remote = { name: "far", kind: "remote_agent" as const, auth: { scheme: "a2a" } };
    expect((await register(remote)).auth.scheme).toBe("a2a");
  });

  it("consults the arbiter, without showing it the claim", async () => {
    const bench = await open();
    const claims: unknown[] = [];
    bench.context.arbiter = createRuleArbiter({
      authorizeRegister({ passport }) {
        claims.push(passport.auth.claim);
        return { allow: false, reason: "by invitation only" };
      },
    });
    const auth = { scheme: "api_key", claim: { token: "s3cret" } };
    const refused = bench.register({ name: "keyed", auth });
    await expect(refused).rejects.toThrow(new AccessDeniedError("by invitation only"));
    expect(claims).toEqual([{}]);
    expect(bench.agents.size).toBe(0);
  });

  it("leaves no trace when the commit fails, and works when it works again", async () => {
    const { register, registry, agents, events, stored } = await open(failingCommits([1]));
    const resume = { claimed_capabilities: ["math"] };
    await expect(register({ name: "ada" }, { resume })).rejects.toBeInstanceOf(StoreError);
    expect(await registry.listAgents()).toEqual([]);
    expect(agents.idOf("ada")).toBeNull();
    expect(agents.withCapability("math")).toEqual([]);
    expect(events).toEqual([]);
    const { agent_id } = await register({ name: "ada" });
    expect((await stored(agent_id ?? "")).map((record) => record !== null)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it("takes nobody while the hub drains", async () => {
    const bench = await open();
    bench.context.accepting = false;
    await expect(bench.register({ name: "ada" })).rejects.toBeInstanceOf(UnavailableError);
  });

  it("refuses a rule whose durations cannot be read, naming the field", async () => {
    const { register } = await open();
    for (const duration of ["soon", "999999999999999d", Number.MAX_SAFE_INTEGER]) {
      const rule = { limits: { channel_ttl_default: duration } };
      await expect(register({ name: "ada" }, { rule })).rejects.toMatchObject({
        code: "invalid_input",
        details: { field: "limits.channel_ttl_default" },
      });
    }
  });

  it("keeps copies of what it was given", async () => {
    const { registry, agents } = await open();
    const resume = createResume({ claimed_capabilities: ["math"] });
    const passport = createPassport({ name: "ada", cost: { input_per_mtok: 1 } });
    const { agent_id } = await registry.registerIdentity({ passport, resume });
    resume.claimed_capabilities.push("flying");
    const got = await registry.getAgent("ada");
    if (got.cost) got.cost.input_per_mtok = 99;
    (await registry.getRule(agent_id ?? "")).access.outbound_to.length = 0;
    expect((await registry.getResume(agent_id ?? "")).claimed_capabilities).toEqual(["math"]);
    expect((await registry.getAgent("ada")).cost?.input_per_mtok).toBe(1);
    expect(agents.get(agent_id ?? "")?.rule.access.outbound_to).toEqual(["*"]);
  });
});

describe("unregister", () => {
  it("N-003 deletes all four records, and a hub on the same store knows nothing of the agent", async () => {
    const store = createMemoryStore();
    const { register, registry, agents, stored } = await open(store);
    const rest = { resume: { claimed_capabilities: ["math"] }, rule: {}, skill_md: "# Sums" };
    const id = (await register({ name: "ada" }, rest)).agent_id ?? "";
    expect((await stored(id)).every((record) => record !== null)).toBe(true);
    expect(agents.withCapability("math")).toEqual([id]);
    await registry.unregister(id);
    expect(await stored(id)).toEqual([null, null, null, null]);
    await store.close();

    const later = await open(store.reopen());
    expect(await later.registry.listAgents()).toEqual([]);
    await expect(later.registry.getAgent(id)).rejects.toBeInstanceOf(NotFoundError);
    await expect(later.registry.getResume(id)).rejects.toBeInstanceOf(NotFoundError);
    await expect(later.registry.getRule(id)).rejects.toBeInstanceOf(NotFoundError);
    expect(await later.registry.getSkill(id)).toBeNull();
    expect(later.agents.idOf("ada")).toBeNull();
    expect(later.agents.withCapability("math")).toEqual([]);
  });

  it("frees the name for a new id, forgets deliveries, and leaves others alone", async () => {
    const { idOf, registry, agents, dropped, events } = await open();
    const [ada, bob] = [await idOf("ada"), await idOf("bob")];
    await registry.unregister(ada);
    await expect(registry.getAgent(ada)).rejects.toBeInstanceOf(NotFoundError);
    expect((await registry.listAgents()).map(({ name }) => name)).toEqual(["bob"]);
    expect(dropped).toEqual([ada]);
    expect(await idOf("ada")).not.toBe(ada);
    expect(agents.get(bob)?.passport.name).toBe("bob");
    expect(events).toEqual([
      "registered ada",
      "registered bob",
      `unregistered ${ada}`,
      "registered ada",
    ]);
  });

  it("refuses an unknown agent, and changes to one that is leaving", async () => {
    const { idOf, registry, stored } = await open();
    await expect(registry.unregister("nobody")).rejects.toBeInstanceOf(NotFoundError);
    const ada = await idOf("ada");
    const leaving = registry.unregister(ada);
    await expect(registry.unregister(ada)).rejects.toBeInstanceOf(NotFoundError);
    await expect(registry.setSkill(ada, "late")).rejects.toBeInstanceOf(NotFoundError);
    await expect(registry.setResume(ada, createResume())).rejects.toBeInstanceOf(NotFoundError);
    await registry.recordObservation({ owner_id: ada, capability: "x", outcome: "completed" });
    await leaving;
    expect(await stored(ada)).toEqual([null, null, null, null]);
  });

  it("keeps the agent when the commit fails", async () => {
    const { idOf, registry } = await open(failingCommits([2]));
    const ada = await idOf("ada");
    await expect(registry.unregister(ada)).rejects.toBeInstanceOf(StoreError);
    expect((await registry.getAgent("ada")).agent_id).toBe(ada);
    await registry.setSkill(ada, "# Still here");
    expect(await registry.getSkill(ada)).toBe("# Still here");
  });
});

describe("changes", () => {
  it("counts versions up, also of changes under way at one time", async () => {
    const { idOf, registry, clock, events } = await open();
    const ada = await idOf("ada");
    expect(await registry.getResume(ada)).toMatchObject({ version: 1, last_updated: "" });
    clock.advance(1_000);
    await Promise.all([
      registry.setResume(ada, createResume({ summary: "one", version: 70 })),
      registry.setResume(ada, createResume({ summary: "two" })),
      registry.setRule(ada, createRule({ version: 9 })),
      registry.setRule(ada, createRule({ limits: { delegation_depth: 1 } })),
    ]);
    expect(await registry.getResume(ada)).toMatchObject({
      summary: "two",
      version: 3,
      last_updated: "2026-01-01T00:00:01.000000+00:00",
    });
    expect(await registry.getRule(ada)).toMatchObject({
      version: 3,
      limits: { delegation_depth: 1 },
    });
    expect(events.slice(1)).toEqual([
      "resume_set ada",
      "resume_set ada",
      "rule_set ada",
      "rule_set ada",
    ]);
  });

  it("builds upon what is stored when a change has failed", async () => {
    const { idOf, registry, stored } = await open(failingCommits([2]));
    const ada = await idOf("ada");
    const failed = [1, 2].map(() => registry.setResume(ada, createResume({ summary: "lost" })));
    for (const change of failed) await expect(change).rejects.toBeInstanceOf(StoreError);
    expect((await registry.getResume(ada)).version).toBe(1);
    await registry.setResume(ada, createResume({ summary: "kept" }));
    const kept = { summary: "kept", version: 2 };
    expect(await registry.getResume(ada)).toMatchObject(kept);
    expect(JSON.parse((await stored(ada))[1] ?? "")).toMatchObject(kept);
  });

  it("N-246 N-256 keeps the capability index as the resume is replaced", async () => {
    const { idOf, registry, agents } = await open();
    const ada = await idOf("ada");
    const index = () => ["math", "policy"].map((capability) => agents.withCapability(capability));
    const claim = (...claimed_capabilities: string[]) =>
      registry.setResume(ada, createResume({ claimed_capabilities }));
    expect(index()).toEqual([[], []]);
    await claim("math");
    expect(index()).toEqual([[ada], []]);
    expect((await registry.getResume(ada)).claimed_capabilities).toEqual(["math"]);
    await claim("math", "policy");
    expect(index()).toEqual([[ada], [ada]]);
    await claim("policy");
    expect(index()).toEqual([[], [ada]]);
    await claim();
    expect(index()).toEqual([[], []]);
  });

  it("stores, replaces and deletes a skill text, and keeps an empty one", async () => {
    const { register, registry } = await open();
    const id = (await register({ name: "ada" }, { skill_md: "# One" })).agent_id ?? "";
    expect(await registry.getSkill(id)).toBe("# One");
    await registry.setSkill(id, "");
    expect(await registry.getSkill(id)).toBe("");
    await registry.setSkill(id, null);
    expect(await registry.getSkill(id)).toBeNull();
    expect(await registry.getSkill("nobody")).toBeNull();
  });

  it("N-011 refuses to read or change an unknown agent", async () => {
    const { registry } = await open();
    await expect(registry.getRule("nobody")).rejects.toBeInstanceOf(NotFoundError);
    await expect(registry.getResume("nobody")).rejects.toBeInstanceOf(NotFoundError);
    await expect(registry.setRule("nobody", createRule())).rejects.toBeInstanceOf(NotFoundError);
    await expect(registry.setSkill("nobody", "x")).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe("getAgent", () => {
  it("N-110 N-111 goes by id, then by name; names fall back to what is given", async () => {
    const { idOf, registry, agents } = await open();
    const ada = await idOf("ada");
    expect((await registry.getAgent(ada)).name).toBe("ada");
    expect((await registry.getAgent("ada")).agent_id).toBe(ada);
    await expect(registry.getAgent("eve")).rejects.toBeInstanceOf(NotFoundError);
    expect(agents.nameFor(ada)).toBe("ada");
    expect(agents.nameFor("unknown")).toBe("unknown");
    expect(agents.nameFor("unknown", "somebody")).toBe("somebody");
  });
});

describe("listAgents", () => {
  it("N-122 lists by kind", async () => {
    const { register, registry } = await open();
    await register({ name: "ada" });
    await register({ name: "bob", kind: "human" });
    const names = async (kind?: string) =>
      (await registry.listAgents({ kind })).map(({ name }) => name);
    expect(await names("agent")).toEqual(["ada"]);
    expect(await names("human")).toEqual(["bob"]);
    expect(await names()).toEqual(["ada", "bob"]);
  });

  it("N-253 finds by capability who claimed it at registration", async () => {
    const { register, agents } = await open();
    const resume = { claimed_capabilities: ["x", "y"] };
    const { agent_id } = await register({ name: "ada" }, { resume });
    expect(agents.withCapability("x")).toEqual([agent_id]);
    expect(agents.withCapability("y")).toEqual([agent_id]);
    expect(agents.withCapability("z")).toEqual([]);
  });
});

describe("recordObservation", () => {
  const observe = async () => {
    const bench = await open();
    const owner_id = await bench.idOf("ada");
    const observed = async (capability: string) =>
      (await bench.registry.getResume(owner_id)).observed[capability];
    return { ...bench, owner_id, observed };
  };

  it("N-245 counts a task once for its owner", async () => {
    const { registry, owner_id, observed, idOf } = await observe();
    const math = { owner_id, capability: "math" };
    await registry.recordObservation({ ...math, outcome: "completed", task_id: "T" });
    await registry.recordObservation({ ...math, outcome: "completed", task_id: "T" });
    expect(await observed("math")).toMatchObject({ n: 1, completed: 1 });
    await registry.recordObservation({ ...math, outcome: "failed", task_id: "U" });
    expect(await observed("math")).toMatchObject({ n: 2, failed: 1 });
    const bob = await idOf("bob");
    await registry.recordObservation({
      ...math,
      owner_id: bob,
      outcome: "completed",
      task_id: "T",
    });
    expect((await registry.getResume(bob)).observed["math"]?.n).toBe(1);
  });

  it("N-254 counts by outcome; latency “p50” is a real quantile of those that were given", async () => {
    const { registry, owner_id, observed } = await observe();
    const sums = { owner_id, capability: "sums" };
    await registry.recordObservation({ ...sums, outcome: "completed", latency_ms: 420 });
    await registry.recordObservation({ ...sums, outcome: "failed" });
    await registry.recordObservation({ ...sums, outcome: "expired" });
    const counts = { n: 3, completed: 1, failed: 1, expired: 1, p50_latency_ms: 420 };
    expect(await observed("sums")).toEqual(counts);
    await registry.recordObservation({ ...sums, outcome: "cancelled", latency_ms: 7.6 });
    // Of two the lower is the median: design section 8, a real quantile instead of the last sample.
    expect(await observed("sums")).toEqual({ ...counts, n: 4, p50_latency_ms: 8 });
    await registry.recordObservation({ ...sums, outcome: "completed", latency_ms: 9_000 });
    const { p50_latency_ms = 0 } = (await observed("sums")) ?? {};
    expect(Math.abs((p50_latency_ms ?? 0) - 420)).toBeLessThanOrEqual(420 * 0.02 + 1);
    expect((await registry.getResume(owner_id)).version).toBe(6);
  });

  it("N-255 makes a capability findable that was only shown", async () => {
    const { registry, owner_id, agents } = await observe();
    expect(agents.withCapability("new")).toEqual([]);
    await registry.recordObservation({ owner_id, capability: "new", outcome: "completed" });
    expect(agents.withCapability("new")).toEqual([owner_id]);
  });

  it("ignores outcomes that are not final and owners that are unknown", async () => {
    const { registry, owner_id } = await observe();
    await registry.recordObservation({ owner_id, capability: "x", outcome: "running" });
    await registry.recordObservation({ owner_id: "eve", capability: "x", outcome: "completed" });
    expect(await registry.getResume(owner_id)).toMatchObject({ version: 1, observed: {} });
  });

  it("takes any text for a capability", async () => {
    const { registry, owner_id, observed } = await observe();
    for (const capability of ["__proto__", "toString"]) {
      await registry.recordObservation({ owner_id, capability, outcome: "completed" });
      await registry.recordObservation({ owner_id, capability, outcome: "completed" });
    }
    expect((await observed("toString"))?.n).toBe(2);
    expect(Object.hasOwn({}, "n")).toBe(false);
  });

  it("counts a task whose first report could not be stored", async () => {
    const { register, registry } = await open(failingCommits([2]));
    const owner_id = (await register({ name: "ada" })).agent_id ?? "";
    const report = { owner_id, capability: "x", outcome: "completed", task_id: "T" } as const;
    await expect(registry.recordObservation(report)).rejects.toBeInstanceOf(StoreError);
    await registry.recordObservation(report);
    expect((await registry.getResume(owner_id)).observed["x"]?.n).toBe(1);
  });
});

describe("restore", () => {
  it("N-208 finds agents again as they were, by name, capability and summary", async () => {
    const store = createMemoryStore();
    const before = await open(store);
    const resume = { claimed_capabilities: ["math", "research"], summary: "Proves theorems" };
    const a = await before.register({ name: "ada", owner: "lab" }, { resume, skill_md: "# Sums" });
    const rule = { limits: { delegation_depth: 2 } };
    const writing = { claimed_capabilities: ["writing"] };
    const b = await before.register({ name: "bob" }, { resume: writing, rule });
    await store.close();

    const { agents, registry } = await open(store.reopen());
    expect(agents.idOf("ada")).toBe(a.agent_id);
    expect(agents.idOf("bob")).toBe(b.agent_id);
    expect(await registry.getAgent("ada")).toEqual(a);
    expect(await registry.getResume(a.agent_id ?? "")).toMatchObject(resume);
    expect(await registry.getSkill(a.agent_id ?? "")).toBe("# Sums");
    expect(await registry.getRule(b.agent_id ?? "")).toMatchObject(rule);
    expect(await registry.listAgents({ capability: "writing" })).toEqual([b]);
    expect(await registry.listAgents({ query: "theorems" })).toEqual([a]);
  });

  it("N-211 rebuilds the capability index from the resumes", async () => {
    const store = createMemoryStore();
    const before = await open(store);
    const ids: (string | null)[] = [];
    for (const [name, ...claimed_capabilities] of [
      ["ada", "math", "research"],
      ["bob", "math", "writing"],
    ]) {
      const resume = { claimed_capabilities };
      ids.push((await before.register({ name: name ?? "" }, { resume })).agent_id);
    }
    await store.close();
    const { registry } = await open(store.reopen());
    const list = async (capability: string) =>
      (await registry.listAgents({ capability })).map(({ agent_id }) => agent_id);
    expect(await list("math")).toEqual(ids);
    expect(await list("writing")).toEqual(ids.slice(1));
  });

  it("N-210 gives the default rule to an agent whose rule record is gone", async () => {
    const store = createMemoryStore();
    const before = await open(store);
    const rule = { limits: { channel_ttl_default: "6h" } };
    const id = (await before.register({ name: "ada" }, { rule })).agent_id ?? "";
    expect((await before.registry.getRule(id)).limits.channel_ttl_default).toBe("6h");
    await before.committer.stage({ records: [{ kind: "rule", id, value: null }] });
    await store.close();
    const { registry } = await open(store.reopen());
    const restored = await registry.getRule(id);
    expect(restored.limits.channel_ttl_default).toBe("2h");
    expect(restored.version).toBe(1);
    expect(restored).toEqual(createRule());
  });
});
