import { formatTimestamp, type StoreHealth } from "@colloquy/protocol";
import type { DeliveryLag, RunningTurn } from "../delivery/backlog-facts.js";
import type { HealthCheck, HealthChecks } from "./report.js";
import type { ProbeResult } from "./store-probe.js";

/** Stuck turns that a report names. */
const MOST_TURNS = 10;

const OK: HealthCheck = { status: "ok", reason: "" };

/** Judges a probe. */
export function judgeCommit({ fault, tookMs }: ProbeResult): HealthChecks["commit"] {
  const check: HealthCheck = fault === null ? OK : { status: "failing", reason: fault };
  return { ...check, took_ms: tookMs };
}

/** Judges what a store says of itself. */
export function judgeStore({ healthy, reason }: StoreHealth): HealthCheck {
  return healthy ? OK : { status: "failing", reason };
}

/** Judges the room on the store's disk; a least of 0 is off. */
export function judgeDisk({ free_bytes = null }: StoreHealth, least: number): HealthChecks["disk"] {
  if (free_bytes === null) {
    return { status: "unknown", reason: "the store does not tell", free_bytes };
  }
  if (free_bytes >= least) return { ...OK, free_bytes };
  const reason = `${free_bytes} bytes are free on the store's disk, below minFreeDiskBytes (${least})`;
  return { status: "failing", reason, free_bytes };
}

/** Judges how long envelopes wait for agents that are connected. */
export function judgeDelivery(
  lag: DeliveryLag | null,
  { now, mostMs }: { readonly now: number; readonly mostMs: number },
): HealthChecks["delivery"] {
  const lag_ms = lag === null ? 0 : Math.max(0, now - lag.since);
  if (lag === null || lag_ms <= mostMs) return { ...OK, lag_ms };
  const what = `envelope ${lag.envelopeId} of channel ${lag.channelId}`;
  const reason = `${what} has waited ${lag_ms} ms for ${lag.recipientId}, who is connected`;
  return { status: "degraded", reason, lag_ms };
}

/** Judges turns that run too long, which are given oldest first. */
export function judgeTurns(
  stuck: readonly RunningTurn[],
  nameFor: (agentId: string) => string,
): HealthChecks["turns"] {
  const oldest = stuck.slice(0, MOST_TURNS).map((turn) => ({
    agent_id: turn.agentId,
    name: nameFor(turn.agentId),
    channel_id: turn.channelId,
    envelope_id: turn.envelopeId,
    since: formatTimestamp(turn.since),
  }));
  const [first] = oldest;
  if (first === undefined) return { ...OK, stuck: 0, oldest };
  const reason = `${stuck.length} running too long, the oldest that of ${first.name} since ${first.since}`;
  return { status: "degraded", reason, stuck: stuck.length, oldest };
}

/** Judges the channels that are out of use. */
export function judgeChannels(quarantined: ReadonlyMap<string, string>): HealthChecks["channels"] {
  const [first] = quarantined;
  if (first === undefined) return { ...OK, quarantined: 0 };
  const reason = `${quarantined.size} quarantined, first ${first[0]}: ${first[1]}`;
  return { status: "degraded", reason, quarantined: quarantined.size };
}
