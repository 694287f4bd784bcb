import {
  createPassport,
  createResume,
  createRule,
  isNetworkError,
  type Store,
  StoreError,
  silentLogger,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds } from "@colloquy/testkit";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createAuthRegistry } from "../auth/create-auth-registry.js";
import { createNoAuth } from "../auth/no-auth.js";
import { createCommitter } from "../commit/group-committer.js";
import { DEFAULT_HUB_LIMITS } from "../core/hub-limits.js";
import { createListeners } from "../observe/listeners.js";
import { createMemoryAuditLog } from "../observe/memory-audit-log.js";
import { createRuleArbiter } from "../policy/rule-arbiter.js";
import { createAgentTable, type MutableAgentTable } from "./mutable-agent-table.js";
import { createRegistry } from "./registry-verbs.js";

const NAMES = ["ada", "Ada", "bob", "cat"];
const CAPABILITIES = ["math", "law", "toString"];

const name = fc.constantFrom(...NAMES);
const capability = fc.constantFrom(...CAPABILITIES);
const step = fc.oneof(
  fc.record({ verb: fc.constant("register" as const), name, claims: fc.subarray(CAPABILITIES) }),
  fc.record({ verb: fc.constant("resume" as const), name, claims: fc.subarray(CAPABILITIES) }),
  fc.record({ verb: fc.constant("rule" as const), name, depth: fc.nat(9) }),
  fc.record({ verb: fc.constant("observe" as const), name, capability, task: fc.nat(3) }),
  fc.record({ verb: fc.constant("unregister" as const), name }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Steps of one round run at one time; a round may be hit by a failing disk. */
const rounds = fc.array(
  fc.record({ fails: fc.integer({ min: 0, max: 3 }), steps: fc.array(step, { maxLength: 5 }) }),
  { maxLength: 8 },
);

async function open(memory: Store) {
  const disk = { fails: false };
  const commit: Store["commit"] = (batch) =>
    disk.fails ? Promise.reject(new StoreError("disk full")) : memory.commit(batch);
  const store = { ...memory, commit };
  const clock = createFakeClock();
  const parts = { clock, logger: silentLogger, store };
  const committer = createCommitter({ ...parts, startRow: 0, onFailed: () => undefined });
  const agents = createAgentTable();
  const audit = createMemoryAuditLog({ clock });
  const registry = createRegistry({
    audit,
    ...{ ...parts, committer, agents, ids: createFakeIds(), arbiter: createRuleArbiter() },
    auth: createAuthRegistry([createNoAuth()]),
    listeners: createListeners(silentLogger),
    delivery: { drop: () => undefined, connectionOf: () => null },
    allowances: { drop: () => undefined },
    accepting: true,
    limits: DEFAULT_HUB_LIMITS,
  });
  registry.restore((await store.recover()).records);
  const run = async (todo: Step): Promise<unknown> => {
    const id = agents.idOf(todo.name) ?? "nobody";
    const claimed_capabilities = "claims" in todo ? todo.claims : [];
    switch (todo.verb) {
      case "register":
        return registry.registerIdentity({
          passport: createPassport({ name: todo.name }),
          resume: createResume({ claimed_capabilities }),
        });
      case "resume":
        return registry.setResume(id, createResume({ claimed_capabilities }));
      case "rule":
        return registry.setRule(id, createRule({ limits: { delegation_depth: todo.depth } }));
      case "observe":
        return registry.recordObservation({
          ...{ owner_id: id, capability: todo.capability, outcome: "completed" },
          task_id: `t${todo.task}`,
        });
      case "unregister":
        return registry.unregister(id);
    }
  };
  return { agents, disk, run };
}

/** Everything that a table tells, in an order of its own. */
function describeTable(agents: MutableAgentTable) {
  return {
    entries: [...agents.all()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    names: NAMES.map((known) => agents.idOf(known)),
    index: CAPABILITIES.map((known) => agents.withCapability(known)),
  };
}

it("shows at every time what a hub on the same store would show", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      let memory = createMemoryStore();
      const { agents, disk, run } = await open(memory);
      for (const { fails, steps } of plan) {
        disk.fails = fails === 0;
        const outcomes = await Promise.allSettled(steps.map(run));
        for (const outcome of outcomes) {
          if (outcome.status === "rejected") expect(isNetworkError(outcome.reason)).toBe(true);
        }
      }
      const shown = describeTable(agents);
      const folded = shown.entries.map(({ passport }) => passport.name.toLowerCase());
      expect(new Set(folded).size).toBe(folded.length);
      for (const [at, known] of CAPABILITIES.entries()) {
        const holders = shown.entries.filter(
          ({ resume }) =>
            resume.claimed_capabilities.includes(known) || Object.hasOwn(resume.observed, known),
        );
        expect(shown.index[at]).toEqual(holders.map(({ id }) => id));
      }
      await memory.close();
      memory = memory.reopen();
      expect(describeTable((await open(memory)).agents)).toEqual(shown);
    }),
    { numRuns: 150 },
  );
});
