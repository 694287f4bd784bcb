import { type AuditRecord, type ChannelMetadata, channelMetadataSchema } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createAuditListener } from "./audit-listener.js";

function open() {
  const records: Omit<AuditRecord, "at">[] = [];
  const listener = createAuditListener({ append: (record) => void records.push(record) });
  return { listener, records };
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
    listener.onExpectationFired?.("c", expectation, ["b"], { elapsed_seconds: 2 });
    const turn = { channel_id: "c", agent_id: "b", envelope_id: "e" };
    listener.onTurnFailed?.({ ...turn, error: "boom" });
    listener.onDeadLetter?.("e", "c", "b", "nacked 8 times");
    expect(records).toEqual([
      { kind: "task_terminated", task_id: "t", ...end, outcome: "completed" },
      {
        ...{ kind: "expectation_violated", channel_id: "c", expectation: "max_silence" },
        ...{ on_violation: "audit", params, violators: ["b"] },
        ...{ detail: { elapsed_seconds: 2 } },
      },
      { kind: "turn_failed", ...turn, exc_type: "RuntimeError", exc_message: "boom" },
      {
        ...{ kind: "dead_letter", envelope_id: "e", channel_id: "c" },
        ...{ recipient_id: "b", reason: "nacked 8 times" },
      },
    ]);
  });
});
