import type { StoreHealth } from "@colloquy/protocol";

/** A hub's state at one instant, for operators and probes. Counts unless said otherwise. */
export interface HubHealth {
  /** `ok`, `degraded` (a commit failed or a channel is quarantined) or `draining`. */
  readonly status: "ok" | "degraded" | "draining" | "closed";
  readonly active_channels: number;
  readonly registered_agents: number;
  readonly connections: number;
  readonly pending_inbox_total: number;
  /** Null when nobody has anything outstanding yet. */
  readonly max_pending_inbox_depth: number | null;
  /** The audit log counts as one, and so does a tracer. */
  readonly registered_listeners: number;
  readonly adapters_loaded: number;
  readonly audit_log_bytes: number;
  /** Bytes of spans that were kept; 0 without a tracer. */
  readonly telemetry_log_bytes: number;
  readonly staged_envelopes: number;
  /** Per open channel, what it expects and nothing stands behind any more. */
  readonly unwatched_expectations: Readonly<Record<string, string>>;
  readonly quarantined_channels: Readonly<Record<string, string>>;
  readonly store: StoreHealth;
}
