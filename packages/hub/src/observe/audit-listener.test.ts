import {
  AccessDeniedError,
  type AuditRecord,
  type ChannelMetadata,
  channelMetadataSchema,
  createEnvelope,
  createPassport,
  createResume,
  createRule,
  type Envelope,
  EV_TEXT,
  ProtocolError,
} from "@colloquy/protocol";
import { createFakeClock } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createDeadlines } from "../core/deadline-heap.js";
import { createAuditListener } from "./audit-listener.js";
import type { AuditLog } from "./audit-log.js";

function open(auditedRefusalsPerMinute = 60) {
  const clock = createFakeClock();
  const records: Omit<AuditRecord, "at">[] = [];
  const audit: AuditLog = {
    append: (record) => void records.push(record),
    readAll: () => Promise.resolve([]),
    subscribe: () => () => undefined,
    bytesWritten: 0,
  };
  const deadlines = createDeadlines(clock);
  const limits = { auditedRefusalsPerMinute };
  const listener = createAuditListener(audit, { clock, deadlines, limits });
  return { clock, deadlines, listener, records };
}

const at = "2026-01-01T00:00:00.000000+00:00";
const metadata: ChannelMetadata = channelMetadataSchema.parse({
  channel_id: "c",
  manifest: { type: "conversation", version: 1 },
  creator_id: "a",
  participants: [
    { agent_id: "a", role: "initiator", order: 0 },
    { agent_id: "b", role: "respondent", order: 1 },
  ],
  state: "pending",
  created_at: at,
});

describe("createAuditListener", () => {
  it("writes what happens to agents", () => {
    const { listener, records } = open();
    const resume = createResume({ version: 2 });
    const tell = listener.onAgentEvent?.bind(listener);
    tell?.("a", "registered", { passport: createPassport({ name: "ada" }), at });
    tell?.("a", "bound", {});
    tell?.("a", "resume_set", { resume, version: 2, at });
    const observed = { resume, version: 3, capability: "math", outcome: "completed", at };
    tell?.("a", "observation_recorded", observed);
    tell?.("a", "skill_set", { removed: true, at });
    tell?.("a", "rule_set", { rule: createRule(), version: 4, at });
    tell?.("a", "unbound", {});
    tell?.("a", "unregistered", { name: "ada", at });
    expect(records).toEqual([
      { kind: "agent_registered", agent_id: "a", name: "ada" },
      { kind: "resume_set", agent_id: "a", source: "tenant", version: 2 },
      {
        ...{ kind: "resume_set", agent_id: "a", source: "observed", version: 3 },
        ...{ capability: "math", outcome: "completed" },
      },
      { kind: "skill_set", agent_id: "a", removed: true },
      { kind: "rule_set", agent_id: "a", version: 4 },
      { kind: "agent_unregistered", agent_id: "a", name: "ada" },
    ]);
  });

  it("writes what happens to channels", () => {
    const { listener, records } = open();
    const tell = listener.onChannelEvent?.bind(listener);
    tell?.("c", "created", { metadata, participants: metadata.participants, at });
    tell?.("c", "opened", { metadata });
    tell?.("c", "closed", { reason: "explicit", metadata, at });
    tell?.("c", "expired", { reason: "ttl_expired", metadata, at });
    tell?.("c", "quarantined", { reason: "fold failed" });
    expect(records).toEqual([
      {
        ...{ kind: "channel_created", channel_id: "c", manifest_type: "conversation" },
        ...{ manifest_version: 1, creator_id: "a", participants: ["a", "b"] },
      },
      { kind: "channel_closed", channel_id: "c", reason: "explicit" },
      { kind: "channel_expired", channel_id: "c", reason: "ttl_expired" },
      { kind: "channel_quarantined", channel_id: "c", reason: "fold failed" },
    ]);
  });

  it("writes the end of tasks, violations, failed turns and dead letters", () => {
    const { listener, records } = open();
    const end = { owner_id: "a", channel_id: "c", reason: "", capability: null };
    listener.onTaskEvent?.("t", "completed", {
      ...end,
      outcome: "completed",
      started_at: null,
      at,
    });
    listener.onTaskEvent?.("t", "mirror_failed", { op: "update_task" });
    listener.onTaskEvent?.("t", "running", {});
    const params = { seconds: 60 };
    const expectation = { name: "max_silence", on_violation: "audit", params, applies_to: null };
    listener.onExpectationFired?.("c", expectation, ["b"]);
    const turn = { channel_id: "c", agent_id: "b", envelope_id: "e" };
    listener.onTurnFailed?.({ ...turn, error: "boom" });
    listener.onDeadLetter?.("e", "c", "b", "nacked 8 times");
    expect(records).toEqual([
      { kind: "task_terminated", task_id: "t", ...end, outcome: "completed" },
      {
        ...{ kind: "expectation_violated", channel_id: "c", expectation: "max_silence" },
        ...{ on_violation: "audit", params, violators: ["b"] },
      },
      { kind: "turn_failed", ...turn, exc_type: "RuntimeError", exc_message: "boom" },
      {
        ...{ kind: "dead_letter", envelope_id: "e", channel_id: "c" },
        ...{ recipient_id: "b", reason: "nacked 8 times" },
      },
    ]);
  });
});

describe("refused posts", () => {
  const refused = (sender_id: string): Envelope =>
    createEnvelope({
      ...{ sender_id, channel_id: "c", event_type: EV_TEXT },
      event_data: { text: "for your eyes only" },
    });
  const denied = new AccessDeniedError("sender 'ada' not permitted to send to 'bob'");

  it("are written with who, where and why, and without the text", () => {
    const { listener, records } = open();
    listener.onEnvelopeRejected?.(refused("a"), denied);
    listener.onEnvelopeRejected?.(refused("a"), new TypeError("x".repeat(2_000)));
    const facts = { kind: "post_refused", sender_id: "a", channel_id: "c", event_type: EV_TEXT };
    expect(records).toEqual([
      { ...facts, code: "access_denied", reason: denied.message },
      { ...facts, code: "internal", reason: "x".repeat(500) },
    ]);
    expect(JSON.stringify(records)).not.toContain("eyes only");
  });

  it("beyond the limit are counted by sender and code, once a minute", () => {
    const { clock, listener, records } = open(2);
    for (let n = 0; n < 5; n += 1) listener.onEnvelopeRejected?.(refused("a"), denied);
    for (let n = 0; n < 3; n += 1) {
      listener.onEnvelopeRejected?.(refused("a"), new ProtocolError("not your turn"));
    }
    listener.onEnvelopeRejected?.(refused("b"), denied);
    expect(records.map((record) => [record["sender_id"], record["code"]])).toEqual([
      ["a", "access_denied"],
      ["a", "access_denied"],
      ["a", "protocol_error"],
      ["a", "protocol_error"],
      ["b", "access_denied"],
    ]);
    clock.advance(60_000);
    const counted = { kind: "post_refused", sender_id: "a", since: at };
    expect(records.slice(5)).toEqual([
      { ...counted, code: "access_denied", count: 3 },
      { ...counted, code: "protocol_error", count: 1 },
    ]);
    listener.onEnvelopeRejected?.(refused("a"), denied);
    expect(records.at(-1)).toMatchObject({ code: "access_denied", reason: denied.message });
  });

  it("of a flood by thousands of senders stay within a bound, and none goes uncounted", () => {
    const { clock, deadlines, listener, records } = open(5);
    for (let n = 0; n < 20_000; n += 1) listener.onEnvelopeRejected?.(refused(`s${n}`), denied);
    expect(records.length).toBeLessThanOrEqual(50);
    expect(deadlines.size).toBe(1);
    clock.advance(60_000);
    expect(records.length).toBeLessThanOrEqual(50 + 257);
    const total = records.reduce((sum, record) => sum + Number(record["count"] ?? 1), 0);
    expect(total).toBe(20_000);
    expect(deadlines.size).toBe(0);
  });

  it("that are counted and not yet written can be flushed", () => {
    const { listener, records } = open(0);
    listener.onEnvelopeRejected?.(refused("a"), denied);
    expect(records).toEqual([]);
    listener.flushRefusals();
    listener.flushRefusals();
    expect(records).toEqual([
      { kind: "post_refused", sender_id: "a", code: "access_denied", count: 1, since: at },
    ]);
  });
});
