import { AccessDeniedError, EV_TEXT, ProtocolError } from "@colloquy/protocol";
import { createFakeClock, createFakeIds } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createDeadlines } from "../core/deadline-heap.js";
import type { Refusal, RefusalFacts } from "./refusal.js";
import { createRefusals } from "./refusals.js";

const AT = "2026-01-01T00:00:00.000000+00:00";

function open(auditedRefusalsPerMinute = 60) {
  const clock = createFakeClock();
  const deadlines = createDeadlines(clock);
  const records: Record<string, unknown>[] = [];
  const heard: Refusal[] = [];
  const refusals = createRefusals({
    ...{ clock, deadlines, ids: createFakeIds(), limits: { auditedRefusalsPerMinute } },
    listeners: { emit: (_hook, ...args) => void heard.push(args[0] as Refusal) },
    append: (record) => void records.push(record),
  });
  const refuse = (agent_id: string, error: unknown = denied()) =>
    refusals.refuse(error, post(agent_id));
  return { clock, deadlines, refusals, records, heard, refuse };
}

const denied = () => new AccessDeniedError("sender 'ada' not permitted to send to 'bob'");
const post = (agent_id: string): RefusalFacts => ({
  ...{ what: "post", agent_id, channel_id: "c", event_type: EV_TEXT },
  ...{ idempotency_key: "k", causation_id: "e" },
});

describe("createRefusals", () => {
  it("writes who, where, which and why; the error and the listeners name the same refusal", () => {
    const { records, heard, refuse } = open();
    const error = refuse("a");
    const { refusal_id } = (error as AccessDeniedError).details ?? {};
    expect(refusal_id).toMatch(/^[0-9a-f]{32}$/);
    const facts = { refusal_id, ...post("a"), code: "access_denied", reason: denied().message };
    expect(records).toEqual([{ kind: "refused", ...facts }]);
    expect(heard).toEqual([{ ...facts, counted: false }]);
    expect(error).toBeInstanceOf(AccessDeniedError);
  });

  it("says what is no error of the family as internal, cut, and keeps that error", () => {
    const { records, refuse } = open();
    const fault = new TypeError("x".repeat(2_000));
    expect(refuse("a", fault)).toBe(fault);
    expect(refuse("a", "just a text")).toMatchObject({ message: "just a text" });
    expect(records).toMatchObject([
      { code: "internal", reason: "x".repeat(500) },
      { code: "internal", reason: "just a text" },
    ]);
  });

  it("gives everybody an error of their own, though a gate refuses with one object", () => {
    const { refuse } = open();
    const shared = Object.freeze(new ProtocolError("closed on Sundays"));
    const again = new ProtocolError("closed on Sundays", { details: { day: 7 } });
    const errors = [shared, again, again].map((error) => refuse("a", error) as ProtocolError);
    const found = errors.map(({ details }) => details?.["refusal_id"]);
    expect(new Set(found).size).toBe(3);
    expect(errors[2]?.details).toMatchObject({ day: 7 });
    for (const error of errors) {
      expect(error).toBeInstanceOf(ProtocolError);
      expect(error.message).toBe("closed on Sundays");
      expect(error.stack).toContain("closed on Sundays");
    }
  });

  it("records once what is refused inside of something guarded, and what else fails there", async () => {
    const { records, refusals, refuse } = open();
    const inner = () => Promise.reject(refuse("a"));
    await expect(refusals.guard(inner, () => ({ what: "open" }))).rejects.toThrow(
      AccessDeniedError,
    );
    expect(records).toMatchObject([{ what: "post" }]);
    const failing = () => Promise.reject(new ProtocolError("no"));
    const error = await refusals.guard(failing, () => ({ what: "open" })).catch((e: unknown) => e);
    expect(records[1]).toMatchObject({ what: "open", reason: "no" });
    expect(error).toMatchObject({ details: { refusal_id: records[1]?.["refusal_id"] } });
    expect(
      await refusals.guard(
        async () => 7,
        () => ({ what: "open" }),
      ),
    ).toBe(7);
  });

  it("beyond the limit counts by kind, actor and code, once a minute, under an id of their own", () => {
    const { clock, records, heard, refuse } = open(2);
    const counted = Array.from({ length: 5 }, () => refuse("a") as AccessDeniedError).slice(2);
    for (let n = 0; n < 3; n += 1) refuse("a", new ProtocolError("not your turn"));
    refuse("b");
    expect(records.map((record) => [record["agent_id"], record["code"]])).toEqual([
      ["a", "access_denied"],
      ["a", "access_denied"],
      ["a", "protocol_error"],
      ["a", "protocol_error"],
      ["b", "access_denied"],
    ]);
    expect(heard).toHaveLength(9);
    expect(heard.filter((refusal) => refusal.counted)).toHaveLength(4);
    clock.advance(60_000);
    const group = { kind: "refused", what: "post", agent_id: "a", since: AT };
    const ids = new Set(counted.map(({ details }) => details?.["refusal_id"]));
    expect(records.slice(5)).toEqual([
      {
        ...{ ...group, code: "access_denied", count: 3, refusal_id: [...ids][0] },
        reason: denied().message,
      },
      {
        ...{ ...group, code: "protocol_error", count: 1, reason: "not your turn" },
        refusal_id: expect.any(String),
      },
    ]);
    expect(ids.size).toBe(1);
    refuse("a");
    expect(records.at(-1)).toMatchObject({ code: "access_denied", reason: denied().message });
    expect(records.at(-1)).not.toHaveProperty("count");
  });

  it("starts a new minute with the first refusal after it, and keeps no timer for what is written", () => {
    const { clock, deadlines, records, refuse } = open(1);
    refuse("a");
    expect(deadlines.size).toBe(0);
    clock.advance(60_000);
    refuse("a");
    expect(records).toHaveLength(2);
    expect(deadlines.size).toBe(0);
    refuse("a");
    expect(deadlines.size).toBe(1);
  });

  it("F-150 of a flood by thousands of senders stays within a bound, and none goes uncounted", () => {
    const { clock, deadlines, records, refuse } = open(5);
    for (let n = 0; n < 20_000; n += 1) refuse(`s${n}`);
    expect(records.length).toBeLessThanOrEqual(50);
    expect(deadlines.size).toBe(1);
    clock.advance(60_000);
    expect(records.length).toBeLessThanOrEqual(50 + 257);
    const total = records.reduce((sum, record) => sum + Number(record["count"] ?? 1), 0);
    expect(total).toBe(20_000);
    expect(deadlines.size).toBe(0);
  });

  it("can write what is only counted before its time", () => {
    const { records, refusals, refuse } = open(0);
    refuse("a");
    expect(records).toEqual([]);
    refusals.flush();
    refusals.flush();
    expect(records).toMatchObject([{ agent_id: "a", code: "access_denied", count: 1, since: AT }]);
    expect(records).toHaveLength(1);
  });
});
