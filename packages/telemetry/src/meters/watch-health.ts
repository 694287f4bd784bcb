import type { Hub, HubHealth } from "@colloquy/hub";
import type { BatchObservableCallback, Meter, ObservableGauge } from "@opentelemetry/api";

/** A figure that is read off a hub's health; null where the hub's store has no such figure. */
interface Gauge {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  read(health: HubHealth): number | null;
}

const GAUGES: readonly Gauge[] = [
  {
    name: "healthy",
    unit: "1",
    description: "1 while the hub takes envelopes and nothing is degraded, else 0.",
    read: ({ status }) => (status === "ok" ? 1 : 0),
  },
  {
    name: "connections",
    unit: "{connection}",
    description: "Connections that are open.",
    read: ({ connections }) => connections,
  },
  {
    name: "agents",
    unit: "{agent}",
    description: "Agents that are registered.",
    read: ({ registered_agents }) => registered_agents,
  },
  {
    name: "channels.open",
    unit: "{channel}",
    description: "Channels that have not ended.",
    read: ({ active_channels }) => active_channels,
  },
  {
    name: "channels.quarantined",
    unit: "{channel}",
    description: "Channels that cannot be read or folded.",
    read: ({ quarantined_channels }) => Object.keys(quarantined_channels).length,
  },
  {
    name: "delivery.outstanding",
    unit: "{envelope}",
    description: "Substantive envelopes that a recipient has not settled, over all recipients.",
    read: ({ pending_inbox_total }) => pending_inbox_total,
  },
  {
    name: "delivery.deepest_inbox",
    unit: "{envelope}",
    description: "The most that one recipient has outstanding.",
    read: ({ max_pending_inbox_depth }) => max_pending_inbox_depth ?? 0,
  },
  {
    name: "commit.staged",
    unit: "{envelope}",
    description: "Envelopes that wait for their commit.",
    read: ({ staged_envelopes }) => staged_envelopes,
  },
  {
    name: "store.size",
    unit: "By",
    description: "Bytes of the store on disk, its journal included.",
    read: ({ store }) => store.bytes,
  },
  {
    name: "store.wal.size",
    unit: "By",
    description: "Bytes of the store's journal that are not in the main file yet.",
    read: ({ store }) => {
      const bytes = store.details?.["wal_bytes"];
      return typeof bytes === "number" ? bytes : null;
    },
  },
  {
    name: "audit.size",
    unit: "By",
    description: "Bytes of audit records that this process has written.",
    read: ({ audit_log_bytes }) => audit_log_bytes,
  },
  {
    name: "telemetry.log.size",
    unit: "By",
    description: "Bytes of spans that are kept beside the data.",
    read: ({ telemetry_log_bytes }) => telemetry_log_bytes,
  },
];

/**
 * Shows a hub's health as gauges, read whenever metrics are collected.
 *
 * @returns stops it
 */
export function watchHealth(meter: Meter, hub: Pick<Hub, "health">): () => void {
  const gauges = new Map<Gauge, ObservableGauge>(
    GAUGES.map((gauge) => {
      const { name, unit, description } = gauge;
      return [gauge, meter.createObservableGauge(`colloquy.${name}`, { unit, description })];
    }),
  );
  const read: BatchObservableCallback = (result) => {
    const health = hub.health();
    for (const [gauge, instrument] of gauges) {
      const value = gauge.read(health);
      if (value !== null) result.observe(instrument, value);
    }
  };
  const instruments = [...gauges.values()];
  meter.addBatchObservableCallback(read, instruments);
  return () => meter.removeBatchObservableCallback(read, instruments);
}
