import { effectiveKind, type Passport, publicPassport, type Store } from "@colloquy/protocol";
import type { AgentEntry } from "./agent-table.js";
import { readLimit } from "./list-limit.js";
import type { MutableAgentTable } from "./mutable-agent-table.js";
import { orderFor } from "./rank-agents.js";

/** Skill texts that are read at a time. */
const SKILL_PAGE = 50;

/** Which agents to list. */
export interface AgentFilter {
  /** Claimed or shown; see `evidence`. */
  readonly capability?: string | null | undefined;
  /** Counts with `capability`: only those that claim it, or only those that have shown it. */
  readonly evidence?: "claimed" | "observed" | null | undefined;
  /** Part of the name, summary, a capability, a domain or the skill text, whatever the case. */
  readonly query?: string | null | undefined;
  readonly kind?: string | null | undefined;
  /** `name`, `track_record` or `latency`, as `orderFor` has them; otherwise registration order. */
  readonly sort_by?: string | null | undefined;
  /** Default 50; null is no limit. */
  readonly limit?: number | null | undefined;
}

/** Passports of the agents that pass every given filter; empty text counts as not given. */
export async function listAgents(
  agents: MutableAgentTable,
  store: Pick<Store, "listRecords">,
  filter: AgentFilter = {},
): Promise<Passport[]> {
  const limit = readLimit(filter.limit);
  const candidates = [...agents.all()].filter((entry) => matches(agents, entry, filter));
  const found = filter.query
    ? await search(store, candidates, filter.query.toLowerCase())
    : candidates;
  const order = orderFor(filter.sort_by, filter.capability || null);
  if (order !== null) found.sort(order);
  return found.slice(0, limit).map(passportOf);
}

/** A copy of an agent's passport for others to read and keep. */
export function passportOf({ passport }: AgentEntry): Passport {
  return { ...publicPassport(passport), cost: passport.cost && { ...passport.cost } };
}

function matches(
  agents: MutableAgentTable,
  { id, passport, resume }: AgentEntry,
  { kind, capability, evidence }: AgentFilter,
): boolean {
  if (kind && effectiveKind(passport) !== kind) return false;
  if (!capability) return true;
  if (evidence === "claimed") return resume.claimed_capabilities.includes(capability);
  if (evidence === "observed") return Object.hasOwn(resume.observed, capability);
  return agents.hasCapability(id, capability);
}

/** Those of whom the text says something. Skill texts are read only for the others, page by page. */
async function search(
  store: Pick<Store, "listRecords">,
  candidates: readonly AgentEntry[],
  text: string,
): Promise<AgentEntry[]> {
  const hits = new Set(candidates.filter((entry) => speaksOf(entry, text)).map(({ id }) => id));
  const rest = new Set(candidates.map(({ id }) => id).filter((id) => !hits.has(id)));
  for (let after = ""; rest.size > 0; ) {
    const page = await store.listRecords("skill", after, SKILL_PAGE);
    for (const { id, value } of page) {
      if (rest.delete(id) && value.toLowerCase().includes(text)) hits.add(id);
      after = id;
    }
    if (page.length < SKILL_PAGE) break;
  }
  return candidates.filter(({ id }) => hits.has(id));
}

function speaksOf({ passport, resume }: AgentEntry, text: string): boolean {
  const { summary, claimed_capabilities, domains, observed } = resume;
  return [
    passport.name,
    summary,
    ...claimed_capabilities,
    ...domains,
    ...Object.keys(observed),
  ].some((said) => said.toLowerCase().includes(text));
}
