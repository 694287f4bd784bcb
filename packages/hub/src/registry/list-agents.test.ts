import {
  createPassport,
  createResume,
  createRule,
  type PassportInput,
  type ResumeInput,
  type Store,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { describe, expect, it } from "vitest";
import { type AgentFilter, listAgents } from "./list-agents.js";
import { createAgentTable } from "./mutable-agent-table.js";

function tableOf(...agents: readonly (readonly [PassportInput, ResumeInput?])[]) {
  const table = createAgentTable();
  agents.forEach(([passport, resume], index) => {
    const id = `id-${index}`;
    table.put({
      id,
      passport: createPassport({ agent_id: id, ...passport }),
      resume: createResume(resume),
      rule: createRule(),
    });
  });
  return table;
}

type Table = ReturnType<typeof tableOf>;

/** Names of those whom a filter lists. */
const namesIn = (table: Table, filter?: AgentFilter, store: Store = createMemoryStore()) =>
  listAgents(table, store, filter).then((found) => found.map(({ name }) => name));

const seen = (completed: number, failed = 0, p50_latency_ms: number | null = null) => ({
  math: { n: completed + failed, completed, failed, p50_latency_ms },
});

describe("listAgents", () => {
  it("filters by kind; null stands for agent", async () => {
    const table = tableOf([{ name: "ada" }], [{ name: "bob", kind: "human" }]);
    expect(await namesIn(table, { kind: "agent" })).toEqual(["ada"]);
    expect(await namesIn(table, { kind: "human" })).toEqual(["bob"]);
    expect(await namesIn(table)).toEqual(["ada", "bob"]);
  });

  it("keeps registration order unless asked to sort by name, and cuts after sorting", async () => {
    const table = tableOf([{ name: "c" }], [{ name: "a" }], [{ name: "B" }]);
    expect(await namesIn(table, {})).toEqual(["c", "a", "B"]);
    expect(await namesIn(table, { sort_by: "age" })).toEqual(["c", "a", "B"]);
    expect(await namesIn(table, { sort_by: "name" })).toEqual(["B", "a", "c"]);
    expect(await namesIn(table, { sort_by: "name", limit: 1 })).toEqual(["B"]);
    expect(await namesIn(table, { limit: 2 })).toEqual(["c", "a"]);
    expect(await namesIn(table, { limit: 0 })).toEqual([]);
  });

  it("lists 50 by default and all for null; another limit is refused", async () => {
    const table = tableOf(...Array.from({ length: 60 }, (_, n) => [{ name: `a${n}` }] as const));
    expect(await namesIn(table)).toHaveLength(50);
    expect(await namesIn(table, { limit: null })).toHaveLength(60);
    await expect(namesIn(table, { limit: -1 })).rejects.toThrow("limit");
    await expect(namesIn(table, { limit: 1.5 })).rejects.toThrow("limit");
  });

  it("finds capabilities that are claimed or observed, or only one of the two", async () => {
    const table = tableOf(
      [{ name: "a" }],
      [{ name: "b" }, { claimed_capabilities: ["math"] }],
      [{ name: "c" }, { observed: { math: { n: 1 } } }],
    );
    const list = (evidence?: "claimed" | "observed") =>
      namesIn(table, { capability: "math", evidence });
    expect(await list()).toEqual(["b", "c"]);
    expect(await list("claimed")).toEqual(["b"]);
    expect(await list("observed")).toEqual(["c"]);
    expect(await namesIn(table, { query: "", capability: "" })).toEqual(["a", "b", "c"]);
    expect(await namesIn(table, { capability: "toString", evidence: "observed" })).toEqual([]);
  });

  it("searches names, summaries, capabilities, domains and skill texts, whatever the case", async () => {
    const table = tableOf(
      [{ name: "Reckoner" }, { summary: "Adds NUMBERS", domains: ["Law"] }],
      [{ name: "b" }, { claimed_capabilities: ["Maths"], observed: { poetry: { n: 1 } } }],
      [{ name: "c" }],
      ...Array.from({ length: 120 }, (_, n) => [{ name: `more${n}` }] as const),
    );
    const store = createMemoryStore();
    const lazy = { deliveries: [], audit: [], snapshots: [] };
    const skills = [...table.all()].map(({ id }, n) => ({
      kind: "skill" as const,
      id,
      value: n === 2 || n === 121 ? "Knows the ways of Bees" : "Nothing",
    }));
    await store.commit({ envelopes: [], channels: [], records: skills, lazy });
    const find = (query: string, rest: AgentFilter = {}) =>
      namesIn(table, { query, ...rest }, store);
    expect(await find("numbers")).toEqual(["Reckoner"]);
    expect(await find("RECKON")).toEqual(["Reckoner"]);
    expect(await find("law")).toEqual(["Reckoner"]);
    expect(await find("maths")).toEqual(["b"]);
    expect(await find("poet")).toEqual(["b"]);
    expect(await find("bees")).toEqual(["c", "more118"]);
    expect(await find("bees", { limit: 1 })).toEqual(["c"]);
    expect(await find("wasps")).toEqual([]);
  });

  it("ranks by track record: many good results before few, nothing seen before bad ones", async () => {
    const table = tableOf(
      [{ name: "bad" }, { claimed_capabilities: ["math"], observed: seen(1, 9) }],
      [{ name: "unseen" }, { claimed_capabilities: ["math"] }],
      [{ name: "lucky" }, { claimed_capabilities: ["math"], observed: seen(1) }],
      [{ name: "proven" }, { claimed_capabilities: ["math"], observed: seen(98, 2) }],
      [{ name: "shy" }, { observed: seen(98, 2) }],
      [{ name: "fast" }, { claimed_capabilities: ["math"], observed: seen(98, 2, 5) }],
    );
    const ranked = await namesIn(table, { capability: "math", sort_by: "track_record" });
    expect(ranked).toEqual(["fast", "proven", "shy", "lucky", "unseen", "bad"]);
    const best = await namesIn(table, { capability: "math", sort_by: "track_record", limit: 1 });
    expect(best).toEqual(["fast"]);
  });

  it("ranks by latency, unknown last, and over all capabilities where none is named", async () => {
    const table = tableOf(
      [{ name: "unknown" }, { claimed_capabilities: ["math"] }],
      [{ name: "slow" }, { observed: seen(1, 0, 900) }],
      [
        { name: "quick" },
        { observed: { ...seen(1, 0, 10), art: { n: 9, p50_latency_ms: 5_000 } } },
      ],
      [{ name: "good" }, { observed: seen(9, 0, 900) }],
    );
    const sort_by = "latency";
    const forMath = await namesIn(table, { capability: "math", sort_by });
    expect(forMath).toEqual(["quick", "good", "slow", "unknown"]);
    const overall = await namesIn(table, { sort_by });
    expect(overall).toEqual(["good", "slow", "quick", "unknown"]);
  });
});

describe("the agent table", () => {
  it("finds those that claim a capability, sorted, and nobody for another", () => {
    const table = tableOf([{ name: "ada" }, { claimed_capabilities: ["x", "y"] }]);
    expect(table.withCapability("x")).toEqual(["id-0"]);
    expect(table.withCapability("y")).toEqual(["id-0"]);
    expect(table.withCapability("z")).toEqual([]);
    expect(table.withCapability("toString")).toEqual([]);
  });

  it("prefers the exact name, takes a folded one that is alone, and none that is ambiguous", () => {
    const table = tableOf([{ name: "Ada" }], [{ name: "ADA" }], [{ name: "Bob" }]);
    expect(table.idOf("Ada")).toBe("id-0");
    expect(table.idOf("ADA")).toBe("id-1");
    expect(table.idOf("ada")).toBeNull();
    expect(table.idOf("bob ")).toBe("id-2");
    table.remove("id-1");
    expect(table.idOf("ada")).toBe("id-0");
    table.remove("id-1");
    expect(table.size).toBe(2);
  });

  it("replaces an entry in its place, name and capabilities included", () => {
    const table = tableOf([{ name: "a" }, { claimed_capabilities: ["x"] }], [{ name: "b" }]);
    const passport = createPassport({ name: "z", agent_id: "id-0" });
    table.put({ id: "id-0", passport, resume: createResume(), rule: createRule() });
    table.change("unknown", { resume: createResume({ claimed_capabilities: ["x"] }) });
    expect([...table.all()].map((entry) => entry.passport.name)).toEqual(["z", "b"]);
    expect(table.idOf("a")).toBeNull();
    expect(table.withCapability("x")).toEqual([]);
  });
});
