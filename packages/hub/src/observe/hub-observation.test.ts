import { createDefaultAdapters } from "@colloquy/adapters";
import {
  type AuditRecord,
  createPassport,
  createResume,
  createRule,
  type Envelope,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  type RuleInput,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openHub } from "../open-hub.js";
import type { HubListener } from "./hub-listener.js";

/** A hub in which everybody accepts every invitation. */
async function open() {
  const clock = createFakeClock();
  const hub = await openHub({
    ...{ store: createMemoryStore(), adapters: createDefaultAdapters() },
    ...{ clock, ids: createFakeIds(), limits: { auditedRefusalsPerMinute: 2 } },
  });
  const accept = async ({ audience, channel_id }: Envelope): Promise<void> => {
    for (const sender_id of audience ?? []) {
      const event_data = { channel_id };
      await hub.postEnvelope({
        channel_id,
        sender_id,
        event_type: EV_CHANNEL_INVITE_ACK,
        event_data,
      });
    }
  };
  const invited: HubListener = {
    onEnvelopePosted(envelope) {
      if (envelope.event_type === EV_CHANNEL_INVITE) void accept(envelope);
    },
  };
  const register = async (name: string, rule: RuleInput = {}): Promise<string> => {
    const identity = { passport: createPassport({ name }), resume: createResume() };
    return (await hub.registerIdentity({ ...identity, rule: createRule(rule) })).agent_id ?? "";
  };
  const openWith = async (creator_id: string, other: string, rest: object) => {
    hub.addListener(invited);
    const opening = { creator_id, manifest_type: "conversation", participants: [other], ...rest };
    const { channel_id } = await hub.createChannel(opening);
    hub.removeListener(invited);
    return channel_id;
  };
  const openChannel = (creator_id: string, other: string, manifest_type: string) =>
    openWith(creator_id, other, { manifest_type });
  const say = (channel_id: string, sender_id: string, text = "hello") =>
    hub.postEnvelope({ channel_id, sender_id, event_type: EV_TEXT, event_data: { text } });
  const kinds = async () => (await hub.audit.readAll()).map(({ kind }) => kind);
  return { clock, hub, register, openChannel, openWith, say, kinds };
}

describe("the audit log of a hub", () => {
  it("N-216 shows a channel's opening and its close with the reason", async () => {
    const { hub, register, openChannel } = await open();
    const [a, b] = [await register("ada"), await register("bob")];
    const earlier = (await hub.audit.readAll()).length;
    const channel_id = await openChannel(a, b, "conversation");
    await hub.closeChannel(channel_id, "explicit");
    const added = (await hub.audit.readAll()).slice(earlier);
    expect(added).toHaveLength(2);
    expect(added[0]).toMatchObject({
      ...{ kind: "channel_created", channel_id, manifest_type: "conversation" },
      ...{ manifest_version: 1, creator_id: a, participants: [a, b] },
    });
    expect(added[1]).toMatchObject({ kind: "channel_closed", channel_id, reason: "explicit" });
  });

  it("N-217 shows the expiry of a channel once", async () => {
    const { clock, hub, register, openWith } = await open();
    const channel_id = await openWith(await register("ada"), await register("bob"), { ttl: "60s" });
    clock.advance(120_000);
    await hub.expireDue();
    await hub.expireDue();
    const expired = (await hub.audit.readAll()).filter(({ kind }) => kind === "channel_expired");
    expect(expired).toMatchObject([{ channel_id, reason: "ttl_expired" }]);
  });

  it("N-218 shows who registered and unregistered", async () => {
    const { hub, register } = await open();
    const agent_id = await register("ada");
    await hub.unregister(agent_id);
    expect(await hub.audit.readAll()).toEqual([
      { at: expect.any(String), kind: "agent_registered", agent_id, name: "ada" },
      { at: expect.any(String), kind: "agent_unregistered", agent_id, name: "ada" },
    ]);
  });

  it("N-221 tells subscribers of a registration", async () => {
    const { hub, register } = await open();
    const seen: AuditRecord[] = [];
    hub.audit.subscribe((record) => void seen.push(record));
    await register("ada");
    expect(seen).toMatchObject([{ kind: "agent_registered", name: "ada" }]);
  });

  it("N-223 tells a resume's replacement by its owner from an observation", async () => {
    const { hub, register } = await open();
    const agent_id = await register("bob");
    await hub.setResume(agent_id, createResume({ summary: "new" }));
    await hub.recordObservation({ owner_id: agent_id, capability: "math", outcome: "completed" });
    const set = (await hub.audit.readAll()).filter(({ kind }) => kind === "resume_set");
    expect(set).toHaveLength(2);
    expect(set[0]).toMatchObject({ source: "tenant", agent_id, version: 2 });
    const seen = { agent_id, capability: "math", outcome: "completed" };
    expect(set[1]).toMatchObject({ source: "observed", ...seen, version: 3 });
  });

  it("shows refused posts without their text, and counts what goes beyond the bound", async () => {
    const { clock, hub, register, openChannel, say } = await open();
    const a = await register("ada", { limits: { delegation_depth: 1 } });
    const channel_id = await openChannel(a, await register("bob"), "conversation");
    const before = (await hub.readWal(channel_id)).length;
    for (let n = 0; n < 5; n += 1) {
      const text = { event_type: EV_TEXT, event_data: { text: "a secret" } };
      const post = hub.postEnvelope({ channel_id, sender_id: a, ...text, depth: 2 });
      await expect(post).rejects.toThrow("delegation_depth");
    }
    await clock.advanceAsync(60_000);
    const records = (await hub.audit.readAll()).filter(({ kind }) => kind === "refused");
    const one = { what: "post", agent_id: a, channel_id, event_type: EV_TEXT };
    expect(records).toHaveLength(3);
    expect(records[0]).toMatchObject({ ...one, code: "access_denied", gate: "authorizeSend" });
    expect(records[0]?.["reason"]).toContain("(2 > 1)");
    expect(records[2]).toMatchObject({ agent_id: a, code: "access_denied", count: 3 });
    expect(JSON.stringify(records)).not.toContain("secret");
    expect(await hub.readWal(channel_id)).toHaveLength(before);
    await say(channel_id, a);
  });

  it("shows how a task ended, and keeps all of it across a restart", async () => {
    const store = createMemoryStore();
    const options = { clock: createFakeClock(), ids: createFakeIds() };
    const hub = await openHub({ ...options, store });
    const spec = { title: "sums", description: "", payload: {}, capability: "math" };
    await hub.observeTask({
      ...{ task_id: "t1", owner_id: "o", spec, state: "running", created_at: "" },
      ...{ started_at: null, completed_at: null, expires_at: null, last_progress_at: null },
      ...{ progress: {}, result: null, error: "", channel_id: null },
    });
    await hub.updateTask("t1", { state: "failed", error: "no luck" });
    await hub.close();
    const later = await openHub({ ...options, store: store.reopen() });
    expect(await later.audit.readAll()).toMatchObject([
      {
        ...{ kind: "task_terminated", task_id: "t1", owner_id: "o", channel_id: null },
        ...{ outcome: "failed", capability: "math", reason: "no luck" },
      },
    ]);
    expect((await later.getTask("t1")).state).toBe("failed");
  });
});

describe("listeners of a hub", () => {
  it("N-224 hear of registrations and of a channel's life", async () => {
    const { hub, register, openChannel } = await open();
    const heard: string[] = [];
    hub.addListener({
      onAgentEvent: (_id, kind) => void heard.push(`agent ${kind}`),
      onChannelEvent: (_id, kind) => void heard.push(`channel ${kind}`),
    });
    const [a, b] = [await register("ada"), await register("bob")];
    await hub.closeChannel(await openChannel(a, b, "consulting"));
    expect(heard).toEqual([
      "agent registered",
      "agent registered",
      "channel created",
      "channel opened",
      "channel closed",
    ]);
  });

  it("N-225 N-226 hear of a post, though one before them throws", async () => {
    const { hub, register, openChannel, say } = await open();
    const [a, b] = [await register("ada"), await register("bob")];
    const channel_id = await openChannel(a, b, "conversation");
    const heard: Envelope[] = [];
    hub.addListener({
      onEnvelopePosted: () => {
        throw new Error("broken");
      },
    });
    hub.addListener({ onEnvelopePosted: (envelope) => void heard.push(envelope) });
    const envelope_id = await say(channel_id, a);
    expect(heard).toMatchObject([{ envelope_id, event_type: EV_TEXT, sender_id: a }]);
  });
});

describe("hooks given at the opening", () => {
  it("N-257 see what is posted, without being registered later", async () => {
    const posted: string[] = [];
    const refused: string[] = [];
    const hub = await openHub({
      ...{ store: createMemoryStore(), clock: createFakeClock(), ids: createFakeIds() },
      listeners: [
        {
          onEnvelopePosted: ({ event_type }) => void posted.push(event_type),
          onRefused: ({ what }) => void refused.push(what),
        },
      ],
    });
    for (const adapter of createDefaultAdapters()) hub.registerAdapter(adapter);
    const bench = createHubBench(hub);
    const [a, b] = [await bench.join("ada"), await bench.join("bob")];
    const { channel_id } = await bench.open("conversation", a, [b]);
    await bench.say(channel_id, a, "hello");
    expect(posted).toEqual([EV_CHANNEL_INVITE, "ag2.channel.opened", EV_TEXT]);
    await expect(bench.say("nowhere", a, "hello")).rejects.toThrow("not found");
    expect(refused).toEqual(["post"]);
  });
});

describe("health", () => {
  it("N-228 counts from nothing", async () => {
    const { hub, register, openChannel } = await open();
    expect(hub.health()).toMatchObject({
      status: "ok",
      active_channels: 0,
      registered_agents: 0,
      pending_inbox_total: 0,
      max_pending_inbox_depth: null,
      registered_listeners: 1,
      adapters_loaded: 4,
      audit_log_bytes: 0,
      telemetry_log_bytes: 0,
    });
    await openChannel(await register("ada"), await register("bob"), "conversation");
    const later = hub.health();
    expect(later).toMatchObject({ registered_agents: 2, active_channels: 1, adapters_loaded: 4 });
    expect(later.audit_log_bytes).toBeGreaterThan(0);
  });
});
