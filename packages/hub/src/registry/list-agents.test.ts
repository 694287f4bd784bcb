import {
  createPassport,
  createResume,
  createRule,
  type PassportInput,
  type ResumeInput,
} from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { listAgents } from "./list-agents.js";
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

describe("listAgents", () => {
  it("filters by kind; null stands for agent", () => {
    const table = tableOf([{ name: "ada" }], [{ name: "bob", kind: "human" }]);
    const names = (kind?: string) => listAgents(table, { kind }).map(({ name }) => name);
    expect(names("agent")).toEqual(["ada"]);
    expect(names("human")).toEqual(["bob"]);
    expect(names()).toEqual(["ada", "bob"]);
  });

  it("keeps registration order unless asked to sort by name, and cuts after sorting", () => {
    const table = tableOf([{ name: "c" }], [{ name: "a" }], [{ name: "B" }]);
    const names = (filter: Parameters<typeof listAgents>[1]) =>
      listAgents(table, filter).map(({ name }) => name);
    expect(names({})).toEqual(["c", "a", "B"]);
    expect(names({ sort_by: "age" })).toEqual(["c", "a", "B"]);
    expect(names({ sort_by: "name" })).toEqual(["B", "a", "c"]);
    expect(names({ sort_by: "name", limit: 1 })).toEqual(["B"]);
    expect(names({ limit: 2 })).toEqual(["c", "a"]);
    expect(names({ limit: 0 })).toEqual([]);
  });

  it("lists 50 by default and all for null; another limit is refused", () => {
    const table = tableOf(...Array.from({ length: 60 }, (_, n) => [{ name: `a${n}` }] as const));
    expect(listAgents(table)).toHaveLength(50);
    expect(listAgents(table, { limit: null })).toHaveLength(60);
    expect(() => listAgents(table, { limit: -1 })).toThrow("limit");
    expect(() => listAgents(table, { limit: 1.5 })).toThrow("limit");
  });

  it("finds claimed and observed capabilities, and text of the summary only", () => {
    const table = tableOf(
      [{ name: "math" }, { summary: "Adds NUMBERS", domains: ["law"] }],
      [{ name: "b" }, { claimed_capabilities: ["math"] }],
      [{ name: "c" }, { observed: { math: { n: 1 } } }],
    );
    const names = (filter: Parameters<typeof listAgents>[1]) =>
      listAgents(table, filter).map(({ name }) => name);
    expect(names({ capability: "math" })).toEqual(["b", "c"]);
    expect(names({ query: "numbers" })).toEqual(["math"]);
    expect(names({ query: "law" })).toEqual([]);
    expect(names({ query: "math" })).toEqual([]);
    expect(names({ query: "", capability: "" })).toEqual(["math", "b", "c"]);
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
