import { createFakeClock, createFakePeer } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { DEFAULT_HUB_LIMITS } from "../core/hub-limits.js";
import { createIntrusionLog } from "./intrusion-log.js";

function createBench() {
  const clock = createFakeClock();
  const records: Record<string, unknown>[] = [];
  const log = createIntrusionLog({
    clock,
    limits: { ...DEFAULT_HUB_LIMITS, auditedRefusalsPerMinute: 2 },
    audit: { append: (record) => void records.push(record) },
    delivery: { agentsOf: () => ["agent-b"] },
  });
  const peer = createFakePeer({ label: "127.0.0.1:1" });
  const connection = {
    endpointId: "e1",
    receive: () => undefined,
    receiveBad: () => undefined,
    closed: () => undefined,
  };
  return { clock, records, log, session: { endpointId: "e1", peer, connection } };
}

describe("createIntrusionLog", () => {
  it("writes who was really behind it, and cuts what was claimed", () => {
    const { log, records, session } = createBench();
    log.add(session, { op: "post", claimed: "x".repeat(500), reason: "agent is not bound here" });
    expect(records).toEqual([
      {
        kind: "identity_refused",
        endpoint_id: "e1",
        peer: "127.0.0.1:1",
        agents: ["agent-b"],
        op: "post",
        claimed: "x".repeat(80),
        reason: "agent is not bound here",
      },
    ]);
  });

  it("writes so many in a minute and counts the rest", () => {
    const { clock, log, records, session } = createBench();
    const attempt = { op: "receipt", claimed: "a", reason: "recipient is not bound here" };
    for (let n = 0; n < 5; n += 1) log.add(session, attempt);
    expect(records).toHaveLength(2);
    clock.advance(60_000);
    log.add(session, attempt);
    expect(records[2]).toMatchObject({ kind: "identity_refused", agents: ["agent-b"], count: 3 });
    expect(records).toHaveLength(4);
    for (let n = 0; n < 3; n += 1) log.add(session, attempt);
    log.end(session);
    log.end(session);
    expect(records.at(-1)).toMatchObject({ count: 2 });
    expect(records).toHaveLength(6);
  });
});
