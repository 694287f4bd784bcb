import type { CostProfile, Passport, Resume } from "@colloquy/protocol";

/** What a search tells of a peer. */
export interface PeerSummary {
  readonly name: string;
  readonly agent_id: string | null;
  readonly summary: string;
  readonly capabilities: readonly string[];
  /** Completed among all finished tasks that were observed; null for none. */
  readonly observed_success_rate: number | null;
  readonly cost: CostProfile | null;
}

/** Makes a {@link PeerSummary}. */
export function summarisePeer(passport: Passport, resume: Resume): PeerSummary {
  const { name, agent_id, cost } = passport;
  return {
    name,
    agent_id,
    summary: resume.summary,
    capabilities: resume.claimed_capabilities,
    observed_success_rate: successRate(resume),
    cost,
  };
}

/** Cheapest first, unknown prices last; or the best track record first, where none counts as 0. */
export function rankPeers(
  peers: readonly PeerSummary[],
  by: "cost" | "track_record",
): readonly PeerSummary[] {
  if (by === "cost") return peers.toSorted((a, b) => ascending(price(a), price(b)));
  const rate = (peer: PeerSummary): number => peer.observed_success_rate ?? 0;
  return peers.toSorted((a, b) => rate(b) - rate(a));
}

function successRate({ observed }: Resume): number | null {
  const stats = Object.values(observed);
  const total = stats.reduce((sum, { n }) => sum + n, 0);
  if (total === 0) return null;
  return stats.reduce((sum, { completed }) => sum + completed, 0) / total;
}

/** The price of input decides; a peer that names none of it stands by its price of output. */
function price({ cost }: PeerSummary): number {
  return cost?.input_per_mtok ?? cost?.output_per_mtok ?? Number.POSITIVE_INFINITY;
}

/** Infinity minus infinity is no number. */
function ascending(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
