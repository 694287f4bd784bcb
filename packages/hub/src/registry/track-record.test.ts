import { createResume } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { openConnectionBench } from "../../../../test/edge/connection-bench.js";

const FORGED = { math: { n: 9, completed: 9, failed: 0, expired: 0, p50_latency_ms: 1 } };

describe("what a hub has seen of an agent", () => {
  it("is neither brought along nor replaced by the agent itself", async () => {
    const bench = await openConnectionBench();
    const link = bench.connect();
    const resume = createResume({ summary: "good", observed: FORGED });
    const params = { passport: { name: "a" }, resume };
    const { agent_id } = (await link.call("register", params)) as { agent_id: string };
    const { summary, observed: none } = await bench.hub.getResume(agent_id);
    expect([summary, none]).toEqual(["good", {}]);
    const seen = { owner_id: agent_id, capability: "art", outcome: "completed" as const };
    await bench.hub.recordObservation(seen);
    await link.call("set_resume", { agent_id, resume });
    const { observed } = await bench.hub.getResume(agent_id);
    expect(Object.keys(observed)).toEqual(["art"]);
    expect(bench.hub.agentsWithCapability("art")).toEqual([agent_id]);
    expect(bench.hub.agentsWithCapability("math")).toEqual([]);
  });

  it("is under a capability that every peer can read", async () => {
    const bench = await openConnectionBench();
    const a = await bench.join("a");
    for (const capability of ["__proto__", "", "c".repeat(257)]) {
      const observation = { owner_id: a.id, capability, outcome: "completed" as const };
      const answer = await a.request("record_observation", observation);
      expect(answer).toMatchObject({ ok: false, error_code: "invalid_input" });
    }
    expect((await bench.hub.getResume(a.id)).observed).toEqual({});
  });
});
