import { describe, expect, it } from "vitest";
import { createResume, type ResumeInput } from "./resume.js";
import { createRule, type RuleInput } from "./rule.js";

describe("createRule", () => {
  it("gives the defaults of the reference", () => {
    expect(createRule()).toEqual({
      version: 1,
      access: {
        inbound_from: ["*"],
        outbound_to: ["*"],
        channel_types: { initiate: ["*"], accept: ["*"] },
      },
      limits: {
        max_concurrent_channels: 0,
        max_concurrent_tasks: 0,
        channel_ttl_default: "2h",
        task_ttl_default: "15m",
        rate: { per_minute: 0, burst: 0 },
        delegation_depth: 5,
        inbox: { max_pending: 1000, overflow: "reject", high_water: null },
      },
    });
  });

  it("takes a part at any level", () => {
    const rule = createRule({ limits: { inbox: { max_pending: 3 } }, access: { outbound_to: [] } });
    expect(rule.limits.inbox).toEqual({ max_pending: 3, overflow: "reject", high_water: null });
    expect(rule.access.outbound_to).toEqual([]);
    expect(rule.access.inbound_from).toEqual(["*"]);
  });

  it.each([
    [{ limits: { inbox: { overflow: "spill" } } }, "limits.inbox.overflow"],
    [{ limits: { rate: { per_hour: 1 } } }, "limits.rate"],
    [{ access: { inbound_from: "*" } }, "access.inbound_from"],
    [{ quota: 1 }, "rule"],
    [{ access: { inbound_from: ["*".repeat(257)] } }, "access.inbound_from[0]"],
    [{ access: { outbound_to: Array(1_001).fill("a") } }, "access.outbound_to"],
    [
      { access: { channel_types: { accept: ["?".repeat(257)] } } },
      "access.channel_types.accept[0]",
    ],
  ])("refuses %j", (input, field) => {
    expect(() => createRule(input as RuleInput)).toThrow(field);
  });

  it("shares nothing between two rules", () => {
    expect(createRule().access).not.toBe(createRule().access);
    expect(createRule().access.inbound_from).not.toBe(createRule().access.inbound_from);
  });
});

describe("createResume", () => {
  it("gives the defaults of the reference, at every level", () => {
    expect(createResume({ examples: [{ title: "t" }], observed: { math: { n: 1 } } })).toEqual({
      claimed_capabilities: [],
      domains: [],
      summary: "",
      examples: [
        { title: "t", outcome: "", task_id: null, channel_id: null, when: null, note: "" },
      ],
      observed: { math: { n: 1, completed: 0, failed: 0, expired: 0, p50_latency_ms: null } },
      version: 1,
      last_updated: "",
    });
  });

  it("refuses an example without title and unknown fields", () => {
    expect(() => createResume({ examples: [{}] } as unknown as ResumeInput)).toThrow(
      "examples[0].title",
    );
    expect(() => createResume({ skills: [] } as ResumeInput)).toThrow('"skills"');
  });
});
