import { foldName, type Resume, type Rule } from "@colloquy/protocol";
import type { AgentEntry, AgentTable } from "./agent-table.js";
import { createCapabilityIndex } from "./capability-index.js";

/** The agent table as the register verbs see it. It shows what is durable, nothing that is staged. */
export interface MutableAgentTable extends AgentTable {
  /** Adds an entry, last in registration order; one of the same id is replaced in its place. */
  put(entry: AgentEntry): void;
  /** Replaces a part of an entry; does nothing for an unknown id. */
  change(agentId: string, part: { readonly resume?: Resume; readonly rule?: Rule }): void;
  remove(agentId: string): void;
  /** Ids of all agents whose name a reader could take for this one. */
  holdersOf(name: string): readonly string[];
  hasCapability(agentId: string, capability: string): boolean;
}

/** Makes an empty table. */
export function createAgentTable(): MutableAgentTable {
  const entries = new Map<string, AgentEntry>();
  const capabilities = createCapabilityIndex();
  const folded = new Map<string, Set<string>>();

  const removeName = ({ id, passport }: AgentEntry): void => {
    const key = foldName(passport.name);
    const ids = folded.get(key);
    ids?.delete(id);
    if (ids?.size === 0) folded.delete(key);
  };
  const addName = ({ id, passport }: AgentEntry): void => {
    const key = foldName(passport.name);
    folded.set(key, (folded.get(key) ?? new Set()).add(id));
  };
  const holdersOf = (name: string): string[] => [...(folded.get(foldName(name)) ?? [])];

  return {
    get size() {
      return entries.size;
    },
    get: (agentId) => entries.get(agentId),
    idOf(name) {
      const holders = holdersOf(name);
      const exact = holders.find((id) => entries.get(id)?.passport.name === name);
      return exact ?? (holders.length === 1 ? (holders[0] ?? null) : null);
    },
    nameFor: (agentId, fallback = agentId) => entries.get(agentId)?.passport.name ?? fallback,
    all: () => entries.values(),
    withCapability: (capability) => capabilities.find(capability),
    hasCapability: (agentId, capability) => capabilities.has(agentId, capability),
    holdersOf,
    put(entry) {
      const former = entries.get(entry.id);
      if (former !== undefined) removeName(former);
      entries.set(entry.id, entry);
      addName(entry);
      capabilities.put(entry.id, entry.resume);
    },
    change(agentId, { resume, rule }) {
      const entry = entries.get(agentId);
      if (entry === undefined) return;
      if (rule !== undefined) entry.rule = rule;
      if (resume === undefined) return;
      entry.resume = resume;
      capabilities.put(agentId, resume);
    },
    remove(agentId) {
      const entry = entries.get(agentId);
      if (entry === undefined) return;
      removeName(entry);
      entries.delete(agentId);
      capabilities.remove(agentId);
    },
  };
}
