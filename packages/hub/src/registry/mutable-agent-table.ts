import {
  chooseHandle,
  foldName,
  nameKeys,
  providerHandle,
  type Resume,
  type Rule,
  unquoteName,
} from "@colloquy/protocol";
import type { AgentEntry, AgentTable } from "./agent-table.js";
import { createCapabilityIndex } from "./capability-index.js";

/** The agent table as the register verbs see it. It shows what is durable, nothing that is staged. */
export interface MutableAgentTable extends AgentTable {
  /**
   * Adds an entry, last in registration order; one of the same id is replaced in its place.
   *
   * @param handle - default: the one that its name gives, or another where that is taken
   */
  put(entry: AgentEntry, handle?: string): void;
  isHandleTaken(handle: string): boolean;
  /** True if an agent's handle does not follow from its name, so that it must be stored. */
  hasOwnHandle(agentId: string): boolean;
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
  const byKey = new Map<string, Set<string>>();
  const handles = new Map<string, string>();
  const taken = new Set<string>();

  const removeName = ({ id, passport }: AgentEntry): void => {
    for (const key of nameKeys(passport.name)) {
      const ids = byKey.get(key);
      ids?.delete(id);
      if (ids?.size === 0) byKey.delete(key);
    }
    taken.delete(handles.get(id) ?? "");
    handles.delete(id);
  };
  const addName = ({ id, passport }: AgentEntry, handle: string): void => {
    for (const key of nameKeys(passport.name)) {
      byKey.set(key, (byKey.get(key) ?? new Set()).add(id));
    }
    handles.set(id, handle);
    taken.add(handle);
  };
  const holdersOf = (name: string): string[] => [
    ...new Set(nameKeys(name).flatMap((key) => [...(byKey.get(key) ?? [])])),
  ];
  const isHandleTaken = (handle: string): boolean => taken.has(handle);

  return {
    get size() {
      return entries.size;
    },
    get: (agentId) => entries.get(agentId),
    idOf(name) {
      const key = byKey.has(foldName(name)) ? foldName(name) : foldName(unquoteName(name));
      const holders = [...(byKey.get(key) ?? [])];
      const exact = holders.find((id) => entries.get(id)?.passport.name === name);
      return exact ?? (holders.length === 1 ? (holders[0] ?? null) : null);
    },
    nameFor: (agentId, fallback = agentId) => entries.get(agentId)?.passport.name ?? fallback,
    all: () => entries.values(),
    withCapability: (capability) => capabilities.find(capability),
    hasCapability: (agentId, capability) => capabilities.has(agentId, capability),
    holdersOf,
    isHandleTaken,
    handleOf: (agentId) => handles.get(agentId) ?? null,
    hasOwnHandle(agentId) {
      const entry = entries.get(agentId);
      return entry !== undefined && handles.get(agentId) !== providerHandle(entry.passport.name);
    },
    put(entry, handle) {
      const former = entries.get(entry.id);
      if (former !== undefined) removeName(former);
      entries.set(entry.id, entry);
      const { name } = entry.passport;
      const isFree = handle !== undefined && !taken.has(handle);
      addName(entry, isFree ? handle : chooseHandle(name, entry.id, isHandleTaken));
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
