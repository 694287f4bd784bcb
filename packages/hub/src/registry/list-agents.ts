import { effectiveKind, type Passport, publicPassport } from "@colloquy/protocol";
import type { AgentEntry } from "./agent-table.js";
import { readLimit } from "./list-limit.js";
import type { MutableAgentTable } from "./mutable-agent-table.js";

/** Which agents to list. */
export interface AgentFilter {
  readonly capability?: string | null | undefined;
  /** Part of the resume's summary, whatever the case. */
  readonly query?: string | null | undefined;
  readonly kind?: string | null | undefined;
  /** `name` sorts by name; otherwise registration order. */
  readonly sort_by?: string | null | undefined;
  /** Default 50; null is no limit. */
  readonly limit?: number | null | undefined;
}

/** Passports of the agents that pass every given filter; empty text counts as not given. */
export function listAgents(agents: MutableAgentTable, filter: AgentFilter = {}): Passport[] {
  const limit = readLimit(filter.limit);
  const sorts = filter.sort_by === "name";
  const found: Passport[] = [];
  for (const entry of agents.all()) {
    if (!sorts && found.length >= limit) break;
    if (matches(agents, entry, filter)) found.push(passportOf(entry));
  }
  return sorts ? found.sort(byName).slice(0, limit) : found;
}

/** A copy of an agent's passport for others to read and keep. */
export function passportOf({ passport }: AgentEntry): Passport {
  return { ...publicPassport(passport), cost: passport.cost && { ...passport.cost } };
}

function matches(
  agents: MutableAgentTable,
  { id, passport, resume }: AgentEntry,
  { kind, capability, query }: AgentFilter,
): boolean {
  if (kind && effectiveKind(passport) !== kind) return false;
  if (capability && !agents.hasCapability(id, capability)) return false;
  return !query || resume.summary.toLowerCase().includes(query.toLowerCase());
}

function byName(a: Passport, b: Passport): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
