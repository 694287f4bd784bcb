import {
  createPassport,
  createResume,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  RateLimitedError,
} from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../test/edge/connection-bench.js";
import type { Refusal } from "../observe/refusal.js";
import { createAllowAllArbiter } from "../policy/allow-all-arbiter.js";

async function openBench(limits = {}) {
  const heard: Refusal[] = [];
  const listener = { onRefused: (refusal: Refusal) => void heard.push(refusal) };
  const bench = await openConnectionBench({ listener, limits });
  bench.acceptInvitations();
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const channel = await bench.open("conversation", a.id, b.id);
  /** The refusal that the newest error on a connection names, as the audit log has it. */
  const lastRefusal = async ({ peer }: typeof a) => {
    const frame = peer.frames.findLast((f) => f.kind === "error" || f.kind === "response");
    const details = frame?.kind === "error" ? frame.details : frame?.error_details;
    const refusal_id = details?.["refusal_id"];
    expect(refusal_id).toEqual(expect.any(String));
    expect(heard.at(-1)).toMatchObject({ refusal_id });
    const found = (await bench.audited("refused")).filter((r) => r["refusal_id"] === refusal_id);
    expect(found).toHaveLength(1);
    return found[0];
  };
  return { ...bench, heard, a, b, channel, lastRefusal };
}

describe("what a connection is refused", () => {
  it("F-150 a post for access, turn order, size or rate says who, where, which rule and when", async () => {
    const { hub, a, b, channel, lastRefusal } = await openBench({ maxEnvelopeBytes: 2_000 });
    const before = await hub.readWal(channel);
    const secret = { event_data: { text: "for your eyes only" } };
    const keys = { idempotency_key: "try-1", causation_id: "0f".repeat(16) };
    await a.request("post", textOf(channel, a.id, { ...secret, ...keys, depth: 99 }));
    const facts = { what: "post", agent_id: a.id, channel_id: channel, event_type: EV_TEXT };
    expect(await lastRefusal(a)).toMatchObject({
      ...{ ...facts, ...keys, code: "access_denied", gate: "authorizeSend" },
      at: expect.stringContaining("2026-"),
    });
    await a.request("post", textOf(channel, b.id, secret));
    expect(await lastRefusal(a)).toMatchObject({
      ...{ what: "post", op: "post", agents: [a.id], target: b.id, gate: "binding" },
      ...{ channel_id: channel, reason: "agent is not bound here" },
    });
    const long = { event_data: { text: "x".repeat(2_000) } };
    await a.request("post", textOf(channel, a.id, long));
    expect(await lastRefusal(a)).toMatchObject({ ...facts, code: "too_large" });
    const turns = await hub.createChannel({
      ...{ creator_id: a.id, manifest_type: "consulting", participants: [b.id] },
    });
    await b.request("post", textOf(turns.channel_id, b.id, secret));
    expect(await lastRefusal(b)).toMatchObject({
      ...{ ...facts, agent_id: b.id, channel_id: turns.channel_id },
      ...{ code: "protocol_error", gate: "validateSend" },
    });
    const limited = (reason: string) => new RateLimitedError(reason, 250);
    const refusal = { allow: false, reason: "three per minute", error: limited } as const;
    hub.setArbiter({ ...createAllowAllArbiter(), authorizeSend: () => refusal });
    await a.request("post", textOf(channel, a.id, secret));
    expect(await lastRefusal(a)).toMatchObject({ ...facts, code: "rate_limited" });
    expect(JSON.stringify(await hub.audit.readAll())).not.toContain("your eyes");
    expect(await hub.readWal(channel)).toEqual(before);
  });

  it("an open, a registration, a hello, an answer to an invitation and a foreign channel", async () => {
    const { a, b, channel, connect, lastRefusal } = await openBench();
    await a.request("create_channel", {
      ...{ creator_id: a.id, manifest_type: "séance", participants: [b.id] },
    });
    // An unknown type is a negative answer, but of an open: it is recorded.
    expect(await lastRefusal(a)).toMatchObject({
      ...{ what: "open", agent_id: a.id, target: "séance", code: "not_found" },
    });
    const passport = createPassport({ name: "a" });
    await a.request("register", { passport, resume: createResume() });
    expect(await lastRefusal(a)).toMatchObject({
      ...{ what: "registration", name: "a", code: "protocol_error" },
    });
    const stranger = { ...connect(), id: "" };
    await stranger.hello("nobody");
    expect(await lastRefusal(stranger)).toMatchObject({
      ...{ what: "authentication", name: "nobody", code: "not_found", agents: [] },
      endpoint_id: stranger.connection.endpointId,
    });
    await stranger.request("list_tasks");
    expect(await lastRefusal(stranger)).toMatchObject({
      ...{ what: "operation", op: "list_tasks", code: "auth_failed" },
    });
    const answer = { event_type: EV_CHANNEL_INVITE_ACK, event_data: { channel_id: channel } };
    await a.request("post", textOf(channel, a.id, answer));
    expect(await lastRefusal(a)).toMatchObject({ what: "invite", agent_id: a.id });
    const c = { ...connect(), id: "" };
    await c.register("c");
    await c.request("get_channel", { channel_id: channel });
    expect(await lastRefusal(c)).toMatchObject({
      ...{ what: "operation", op: "get_channel", gate: "membership", target: channel },
      reason: "no member is bound here",
    });
  });

  it("malformed frames, and receipts, which nobody answers", async () => {
    const { a, b, channel, audited, heard, lastRefusal } = await openBench();
    a.send({ kind: "riddle" });
    expect(await lastRefusal(a)).toMatchObject({ what: "frame", agents: [a.id] });
    a.send({ kind: "delta", channel_id: channel, sender_id: b.id, turn_id: "t", seq: 0, text: "" });
    a.ack(b.id, { envelope_id: "e1", channel_id: channel });
    expect((await audited("refused")).at(-1)).toMatchObject({
      ...{ what: "receipt", code: "access_denied", agents: [a.id], target: b.id },
      ...{ channel_id: channel, envelope_id: "e1", reason: "recipient is not bound here" },
    });
    expect(heard.at(-1)).toMatchObject({ what: "receipt", target: b.id });
  });

  it("is not recorded where the answer is only that there is no such thing", async () => {
    const { a, heard } = await openBench();
    expect(await a.request("get_agent", { name_or_id: "nobody" })).toMatchObject({ ok: false });
    expect(heard).toEqual([]);
  });

  it("keeps its code and its words, for every profile", async () => {
    const { join, channel, a } = await openBench();
    const bare = await join("old", "ag2");
    const answer = await bare.request("get_channel", { channel_id: channel });
    expect(answer).toEqual({
      ...{ ok: false, result: null, error_code: "not_found" },
      error_message: `channel not found: '${channel}'`,
    });
    const own = await a.request("get_channel", { channel_id: "0".repeat(32) });
    expect(own.error_message).toBe(`channel not found: '${"0".repeat(32)}'`);
  });
});
