import type { Passport, Resume, Rule } from "@colloquy/protocol";

/** A registered agent in memory. Its passport names the auth scheme; the claim is never kept. */
export interface AgentEntry {
  readonly id: string;
  passport: Passport;
  resume: Resume;
  rule: Rule;
}

/** Who is registered. Lookups are synchronous; changes go through the register verbs. */
export interface AgentTable {
  readonly size: number;
  get(agentId: string): AgentEntry | undefined;
  /** Exact name first, then the folded form when it is unambiguous. */
  idOf(name: string): string | null;
  /** Name of an agent; `fallback` or the id itself when unknown. */
  nameFor(agentId: string, fallback?: string): string;
  /** Handle of an agent for model providers, which no other agent of the hub has; null for an unknown one. */
  handleOf(agentId: string): string | null;
  /** Entries in registration order. */
  all(): Iterable<AgentEntry>;
  /** Sorted ids of those that claim or have shown a capability. */
  withCapability(capability: string): readonly string[];
}
