import type { ObservedStat, Resume, TrackRecord } from "./resume.js";

/**
 * What a resume tells of its agent's track record, by capability. One that is only claimed has counts
 * of 0.
 *
 * @param p95Of - 95th percentile of the latency of a capability, in milliseconds; default: unknown
 */
export function trackRecordOf(
  { claimed_capabilities, observed }: Pick<Resume, "claimed_capabilities" | "observed">,
  p95Of: (capability: string) => number | null = () => null,
): Record<string, TrackRecord> {
  const claimed = new Set(claimed_capabilities);
  const names = new Set([...claimed, ...Object.keys(observed)]);
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const stat = Object.hasOwn(observed, name) ? observed[name] : undefined;
      const { n = 0, completed = 0, failed = 0, expired = 0, p50_latency_ms = null } = stat ?? {};
      const record: TrackRecord = {
        ...{ n, completed, failed, expired, p50_latency_ms, claimed: claimed.has(name) },
        cancelled: n - completed - failed - expired,
        success_rate: successRate({ completed, failed, expired }),
        p95_latency_ms: p95Of(name),
      };
      return [name, record];
    }),
  );
}

/** Share of the tasks that succeeded among those that ended by themselves; null when none has. */
export function successRate({
  completed,
  failed,
  expired,
}: Pick<ObservedStat, "completed" | "failed" | "expired">): number | null {
  const ended = completed + failed + expired;
  return ended === 0 ? null : completed / ended;
}
