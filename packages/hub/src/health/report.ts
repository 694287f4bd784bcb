/**
 * How one part stands. `failing`: the hub cannot do its work; `degraded`: it does, and somebody should
 * look; `unknown`: this store does not tell.
 */
export type CheckStatus = "ok" | "degraded" | "failing" | "unknown";

/** What every check says. */
export interface HealthCheck {
  readonly status: CheckStatus;
  /** Why it is not `ok`; empty when it is. May name files, agents and channels. */
  readonly reason: string;
}

/** A turn that runs longer than `stuckTurnMs`. */
export interface StuckTurn {
  readonly agent_id: string;
  readonly name: string;
  readonly channel_id: string;
  readonly envelope_id: string;
  /** ISO time at which it was taken up. */
  readonly since: string;
}

/** The checks of a hub, each on its own. */
export interface HealthChecks {
  /** A record was written into the store, within `healthProbeTimeoutMs`. */
  readonly commit: HealthCheck & { readonly took_ms: number | null };
  /** What the store says of itself. */
  readonly store: HealthCheck;
  /** Room on the disk of the store, at least `minFreeDiskBytes`. */
  readonly disk: HealthCheck & { readonly free_bytes: number | null };
  /** No envelope waits for a connected agent longer than `maxDeliveryLagMs`. */
  readonly delivery: HealthCheck & { readonly lag_ms: number };
  /** No turn runs longer than `stuckTurnMs`. */
  readonly turns: HealthCheck & {
    readonly stuck: number;
    /** The oldest ten of them. */
    readonly oldest: readonly StuckTurn[];
  };
  /** No channel is quarantined. */
  readonly channels: HealthCheck & { readonly quarantined: number };
}

/** Whether a hub does its work, as its checks have proven. */
export interface HealthReport {
  /** The worst of the checks; `draining` or `closed` when the hub takes nothing in. */
  readonly status: "ok" | "degraded" | "failing" | "draining" | "closed";
  /** True when envelopes can be sent to this hub: it takes them in, and `commit`, `store` and `disk` do not fail. */
  readonly ready: boolean;
  /** ISO time of the checks; a report is given again for `healthCacheMs`. */
  readonly at: string;
  readonly checks: HealthChecks;
}
