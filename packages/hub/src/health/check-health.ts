import { formatTimestamp } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import {
  judgeChannels,
  judgeCommit,
  judgeDelivery,
  judgeDisk,
  judgeStore,
  judgeTurns,
} from "./judge-parts.js";
import type { HealthChecks, HealthReport } from "./report.js";
import { createStoreProbe } from "./store-probe.js";

/** Input of {@link createHealthCheck}. */
export interface HealthCheckOptions {
  readonly context: CoreContext;
  isClosed(): boolean;
}

/**
 * Makes what proves a hub's health.
 *
 * A report is given again for `healthCacheMs`, and who asks while one is made gets that one, so that
 * asking often costs no commits. One from before the hub began to drain is not given again.
 */
export function createHealthCheck(options: HealthCheckOptions): () => Promise<HealthReport> {
  const { context, isClosed } = options;
  const { clock, committer, limits } = context;
  const probe = createStoreProbe({ clock, committer, timeoutMs: limits.healthProbeTimeoutMs });
  let running: Promise<HealthReport> | null = null;
  let kept: { readonly report: HealthReport; readonly until: number } | null = null;

  const phase = (): "running" | "draining" | "closed" =>
    isClosed() ? "closed" : context.accepting ? "running" : "draining";
  const make = async (): Promise<HealthReport> => {
    const commit = judgeCommit(
      phase() === "running" ? await probe() : { fault: "the hub takes nothing in", tookMs: null },
    );
    const report = assemble(phase(), clock.now(), { commit, ...judgeAll(context) });
    kept = { report, until: clock.now() + limits.healthCacheMs };
    return report;
  };
  return () => {
    const isOver = phase() !== "running";
    if (kept !== null && clock.now() < kept.until && isOver === isOverIn(kept.report)) {
      return Promise.resolve(kept.report);
    }
    running ??= make().finally(() => {
      running = null;
    });
    return running;
  };
}

function judgeAll(context: CoreContext): Omit<HealthChecks, "commit"> {
  const { clock, store, limits, delivery, channels, agents } = context;
  const now = clock.now();
  const health = store.health();
  return {
    store: judgeStore(health),
    disk: judgeDisk(health, limits.minFreeDiskBytes),
    delivery: judgeDelivery(delivery.lag(), { now, mostMs: limits.maxDeliveryLagMs }),
    turns: judgeTurns(delivery.turnsTakenUpBy(now - limits.stuckTurnMs), (agentId) =>
      agents.nameFor(agentId),
    ),
    channels: judgeChannels(channels.quarantined),
  };
}

function assemble(
  phase: "running" | "draining" | "closed",
  now: number,
  checks: HealthChecks,
): HealthReport {
  const statuses = Object.values(checks).map(({ status }) => status);
  const worst = statuses.includes("failing")
    ? "failing"
    : statuses.includes("degraded")
      ? "degraded"
      : "ok";
  const { commit, store, disk } = checks;
  const works = [commit, store, disk].every(({ status }) => status !== "failing");
  return {
    status: phase === "running" ? worst : phase,
    ready: phase === "running" && works,
    at: formatTimestamp(now),
    checks,
  };
}

function isOverIn({ status }: HealthReport): boolean {
  return status === "draining" || status === "closed";
}
