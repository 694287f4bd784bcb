import { createMemoryStore } from "@colloquy/storage-memory";
import { describe, expect, it } from "vitest";
import { assembleHealth, type HealthSources } from "./assemble-health.js";

const sources: HealthSources = {
  accepting: true,
  agents: { size: 2 },
  adapters: { size: 4 },
  channels: { openCount: 1, quarantined: new Map() },
  delivery: { totals: { pending: 3, deepest: 2 } },
  listeners: { count: 1 },
  audit: { bytesWritten: 77 },
  committer: { staged: 5, failure: null },
  expectations: { unwatched: new Map() },
  store: createMemoryStore(),
};
const open = { connections: 6, closed: false };

describe("assembleHealth", () => {
  it("shows every part", () => {
    expect(assembleHealth(sources, open)).toEqual({
      status: "ok",
      active_channels: 1,
      registered_agents: 2,
      connections: 6,
      pending_inbox_total: 3,
      max_pending_inbox_depth: 2,
      registered_listeners: 1,
      adapters_loaded: 4,
      audit_log_bytes: 77,
      telemetry_log_bytes: 0,
      staged_envelopes: 5,
      unwatched_expectations: {},
      quarantined_channels: {},
      store: { healthy: true, reason: "", bytes: null, audit_bytes: 0 },
    });
  });

  it("names the state that matters most", async () => {
    const status = (change: Partial<HealthSources>, closed = false) =>
      assembleHealth({ ...sources, ...change }, { ...open, closed }).status;
    const committer = { staged: 0, failure: new Error("disk full") };
    const channels = { openCount: 0, quarantined: new Map([["c", "fold failed"]]) };
    const store = createMemoryStore();
    await store.close();
    expect(status({ committer })).toBe("degraded");
    expect(status({ channels })).toBe("degraded");
    expect(status({ store })).toBe("degraded");
    expect(status({ committer, accepting: false })).toBe("draining");
    expect(status({ accepting: false }, true)).toBe("closed");
    expect(assembleHealth({ ...sources, channels }, open).quarantined_channels).toEqual({
      c: "fold failed",
    });
  });
});
