import type { ObservedStat, Resume } from "@colloquy/protocol";
import type { AgentEntry } from "./agent-table.js";
import { reliability } from "./track-record.js";

type Order = (a: AgentEntry, b: AgentEntry) => number;

/**
 * The order that a listing asks for; null for that of registration.
 *
 * - `name`: by name.
 * - `track_record`: the most reliable first, by `reliability`; at equal figures those that claim the
 *   capability before those that only showed it, then the faster, then by name.
 * - `latency`: the lowest median first, unknown last; at equal figures by track record.
 *
 * With a capability only that one counts, otherwise all that were seen.
 */
export function orderFor(
  sortBy: string | null | undefined,
  capability: string | null,
): Order | null {
  if (sortBy === "name") return byName;
  if (sortBy === "track_record") return byTrackRecord(capability);
  if (sortBy === "latency") {
    const otherwise = byTrackRecord(capability);
    return (a, b) => latency(a, capability) - latency(b, capability) || otherwise(a, b);
  }
  return null;
}

function byTrackRecord(capability: string | null): Order {
  const claims = ({ resume }: AgentEntry): number =>
    Number(capability !== null && resume.claimed_capabilities.includes(capability));
  return (a, b) =>
    score(b, capability) - score(a, capability) ||
    claims(b) - claims(a) ||
    latency(a, capability) - latency(b, capability) ||
    byName(a, b);
}

function score({ resume }: AgentEntry, capability: string | null): number {
  const total = { completed: 0, failed: 0, expired: 0 };
  for (const { completed, failed, expired } of statsOf(resume, capability)) {
    total.completed += completed;
    total.failed += failed;
    total.expired += expired;
  }
  return reliability(total);
}

/** Median latency, weighted by the number of tasks over several capabilities; beyond all when unknown. */
function latency({ resume }: AgentEntry, capability: string | null): number {
  let weight = 0;
  let sum = 0;
  for (const { n, p50_latency_ms } of statsOf(resume, capability)) {
    if (p50_latency_ms === null) continue;
    weight += n;
    sum += n * p50_latency_ms;
  }
  return weight === 0 ? Number.MAX_VALUE : sum / weight;
}

function statsOf({ observed }: Resume, capability: string | null): readonly ObservedStat[] {
  if (capability === null) return Object.values(observed);
  const stat = Object.hasOwn(observed, capability) ? observed[capability] : undefined;
  return stat === undefined ? [] : [stat];
}

function byName({ passport: a }: AgentEntry, { passport: b }: AgentEntry): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
