import type { StoreHealth } from "@colloquy/protocol";
import type { HubHealth } from "./health.js";

/** The parts of a hub that health is read from; a hub's context is one. */
export interface HealthSources {
  readonly accepting: boolean;
  readonly agents: { readonly size: number };
  readonly adapters: { readonly size: number };
  readonly channels: {
    readonly openCount: number;
    readonly quarantined: ReadonlyMap<string, string>;
  };
  readonly delivery: {
    readonly totals: { readonly pending: number; readonly deepest: number | null };
  };
  readonly listeners: { readonly count: number };
  readonly audit: { readonly bytesWritten: number };
  readonly committer: { readonly staged: number; readonly failure: Error | null };
  readonly store: { health(): StoreHealth };
  readonly tracing?: { readonly logBytes: number } | undefined;
  readonly expectations: { readonly unwatched: ReadonlyMap<string, string> };
}

/**
 * Reads a hub's health at this instant.
 *
 * @param sources - the hub's parts
 * @param facts - what no part knows: open connections, and whether the hub has closed
 */
export function assembleHealth(
  sources: HealthSources,
  facts: { readonly connections: number; readonly closed: boolean },
): HubHealth {
  const { agents, adapters, channels, delivery, listeners, audit, committer } = sources;
  const store = sources.store.health();
  return {
    status: statusOf(sources, store, facts.closed),
    active_channels: channels.openCount,
    registered_agents: agents.size,
    connections: facts.connections,
    pending_inbox_total: delivery.totals.pending,
    max_pending_inbox_depth: delivery.totals.deepest,
    registered_listeners: listeners.count,
    adapters_loaded: adapters.size,
    audit_log_bytes: audit.bytesWritten,
    telemetry_log_bytes: telemetryBytes(sources),
    staged_envelopes: committer.staged,
    unwatched_expectations: Object.fromEntries(sources.expectations.unwatched),
    quarantined_channels: Object.fromEntries(channels.quarantined),
    store,
  };
}

/** A tracer's fault costs its own figure and none of the others. */
function telemetryBytes({ tracing }: HealthSources): number {
  try {
    return tracing?.logBytes ?? 0;
  } catch {
    return 0;
  }
}

function statusOf(
  { accepting, channels, committer }: HealthSources,
  store: StoreHealth,
  closed: boolean,
): HubHealth["status"] {
  if (closed) return "closed";
  if (!accepting) return "draining";
  const sound = store.healthy && committer.failure === null && channels.quarantined.size === 0;
  return sound ? "ok" : "degraded";
}
