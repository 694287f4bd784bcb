import { type Envelope, EV_TEXT } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../test/edge/connection-bench.js";
import { createApiKeyAuth } from "../auth/api-key-auth.js";
import { createNoAuth } from "../auth/no-auth.js";

const KEYS = { a: "key-of-a", b: "key-of-b" };
const withKeys = () => ({ authenticators: [createNoAuth(), createApiKeyAuth({ keys: KEYS })] });
const keyed = (name: keyof typeof KEYS) => ({
  auth: { scheme: "api_key", claim: { token: KEYS[name] } },
});
const claimOf = (token: string) => ({ auth_scheme: "api_key", auth_claim: { token } });

/** Members A and B of a channel, each on its own connection, and C who is registered. */
async function three() {
  const bench = await openConnectionBench();
  bench.acceptInvitations();
  const a = await bench.join("a");
  const b = await bench.join("b");
  const c = await bench.join("c");
  const channel = await bench.open("discussion", a.id, b.id);
  return { bench, a, b, c, channel };
}

describe("who a connection speaks for", () => {
  it("F-001 nothing is recorded or delivered under a name that is not the connection's", async () => {
    const { bench, a, b, channel } = await three();
    const before = await bench.hub.readWal(channel);
    const forged = [textOf(channel, a.id), textOf(channel, "a-made-up-human")];
    for (const params of forged) {
      for (const op of ["post_envelope", "post"]) {
        const answer = await b.request(op, params);
        expect(answer).toMatchObject({ ok: false, error_code: "access_denied" });
        expect(answer.error_message).toContain("not bound to agent");
      }
    }
    expect(await bench.hub.readWal(channel)).toEqual(before);
    const texts = [...a.peer.notifies, ...b.peer.notifies].filter(
      ({ envelope }) => envelope.event_type === EV_TEXT,
    );
    expect(texts).toEqual([]);
    const audited = await bench.audited("refused");
    expect(audited).toHaveLength(4);
    expect(audited[0]).toMatchObject({
      agents: [b.id],
      target: a.id,
      what: "post",
      code: "access_denied",
      gate: "binding",
      op: "post_envelope",
      endpoint_id: b.connection.endpointId,
    });
  });

  it("F-012 another's token or id with one's own credential opens nothing", async () => {
    const bench = await openConnectionBench(withKeys());
    bench.acceptInvitations();
    const a = bench.connect();
    const aId = await a.register("a", keyed("a"));
    const b = bench.connect();
    const bId = await b.register("b", keyed("b"));
    const channel = await bench.open("conversation", bId, aId);
    const welcome = await a.hello("a", claimOf(KEYS.a));
    const token = welcome.kind === "welcome" ? welcome.resume_token : undefined;
    a.drop();
    await bench.hub.postEnvelope(textOf(channel, bId).envelope);
    const pending = bench.context.delivery.pending(aId);
    expect(pending).toBe(1);

    const intruder = bench.connect();
    const tries = [
      { resume_token: token ?? "a-token-of-a", since_envelope_id: "", ...claimOf(KEYS.b) },
      { resume_token: token ?? "a-token-of-a", since_envelope_id: "" },
      { since_envelope_id: "", ...claimOf(KEYS.b) },
    ];
    for (const fields of tries) {
      const answer = await intruder.hello("a", fields);
      expect(answer).toMatchObject({ kind: "error", code: "auth_failed" });
    }
    await intruder.hello("b", { ...claimOf(KEYS.b), since_envelope_id: "" });
    await settle();
    expect(intruder.peer.notifies.filter((n) => n.recipient_id === aId)).toEqual([]);
    expect(bench.context.delivery.connectionOf(aId)).toBeNull();
    expect(bench.context.delivery.pending(aId)).toBe(pending);
    const back = bench.connect();
    await back.hello("a", { ...claimOf(KEYS.a), since_envelope_id: "" });
    await settle();
    const texts = back.peer.notifies.filter(({ envelope }) => envelope.event_type === EV_TEXT);
    expect(texts).toHaveLength(1);
  });

  it("F-013 a channel of others answers exactly like one that does not exist", async () => {
    const { bench, a, c, channel } = await three();
    const text = await bench.hub.postEnvelope(textOf(channel, a.id).envelope);
    const before = await bench.hub.readWal(channel);
    const unknown = "f".repeat(32);
    const calls: [string, (id: string) => object][] = [
      ["get_channel", (channel_id) => ({ channel_id })],
      ["close_channel", (channel_id) => ({ channel_id })],
      ["read_wal", (channel_id) => ({ channel_id })],
      ["read_page", (channel_id) => ({ channel_id })],
      ["search_text", (channel_id) => ({ channel_id, agent_id: c.id, query: "x" })],
      ["get_state", (channel_id) => ({ channel_id })],
      ["post_envelope", (channel_id) => textOf(channel_id, c.id)],
      ["post", (channel_id) => textOf(channel_id, c.id)],
      ["can_send", (channel_id) => ({ channel_id, sender_id: c.id })],
      [
        "find_envelope_by_causation",
        (channel_id) => ({ channel_id, sender_id: a.id, causation_id: text }),
      ],
      [
        "report_turn_failure",
        (channel_id) => ({ channel_id, agent_id: c.id, envelope_id: text, error: "x" }),
      ],
      ["prepare_turn", (channel_id) => ({ channel_id, agent_id: c.id, envelope_id: text })],
    ];
    for (const [op, paramsOf] of calls) {
      const foreign = await c.request(op, paramsOf(channel));
      const missing = await c.request(op, paramsOf(unknown));
      const sameName = (text: string) => text.replaceAll(channel, unknown);
      expect({ ...foreign, error_message: sameName(foreign.error_message) }).toEqual(missing);
      if (op === "can_send") expect(foreign).toMatchObject({ ok: true, result: false });
      else expect(foreign).toMatchObject({ ok: false, error_code: "not_found" });
    }
    expect(await c.call("list_channels")).toEqual([]);
    expect(await c.request("list_channels", { agent_id: a.id })).toMatchObject({
      ok: false,
      error_code: "access_denied",
    });
    expect(await c.call("list_tasks", { channel_id: channel })).toEqual([]);
    expect(await bench.hub.readWal(channel)).toEqual(before);
    expect((await bench.hub.getChannel(channel)).state).toBe("active");
    expect(c.peer.notifies).toEqual([]);
  });

  it("F-014 receipts of others and nonsense change nothing, and are recorded", async () => {
    const { bench, a, b, channel } = await three();
    const text = await bench.hub.postEnvelope(textOf(channel, a.id).envelope);
    await settle();
    const notified = b.peer.notifies.at(-1)?.envelope as Envelope;
    expect(notified.envelope_id).toBe(text);
    const pending = bench.context.delivery.pending(b.id);
    const receipt = { kind: "receipt", status: "ack", channel_id: channel };
    a.send({ ...receipt, recipient_id: b.id, envelope_id: text });
    a.send({ ...receipt, recipient_id: a.id, envelope_id: "0".repeat(31) });
    a.send({ ...receipt, recipient_id: a.id, envelope_id: { id: text } });
    a.send({ ...receipt, recipient_id: a.id, envelope_id: "" });
    await settle();
    expect(bench.context.delivery.pending(b.id)).toBe(pending);
    expect(bench.context.delivery.cursor(b.id, channel)).toBe("");
    b.drop();
    const back = bench.connect();
    await back.hello("b", { since_envelope_id: "" });
    await settle();
    expect(back.peer.notifiedIds).toContain(text);
    expect(a.peer.closed).toBeNull();
    expect(await a.call("find_agent_id", { name: "b" })).toBe(b.id);
    const audited = await bench.audited("refused");
    expect(audited.map(({ agents, op }) => [agents, op])).toEqual([
      [[a.id], "receipt"],
      [[a.id], "receipt"],
      [[a.id], "frame"],
      [[a.id], "receipt"],
    ]);
    expect(a.peer.frames.filter(({ kind }) => kind === "error")).toHaveLength(1);
  });

  it("acts for agents that are bound here and for nobody else", async () => {
    const { bench, a, b, channel } = await three();
    const other = { agent_id: b.id };
    const calls: [string, object][] = [
      ["set_skill", { ...other, skill_md: "x" }],
      ["set_rule", { ...other, rule: {} }],
      ["set_resume", { ...other, resume: {} }],
      ["unregister", other],
      ["pending_turns_for", other],
      ["create_channel", { creator_id: b.id, manifest_type: "conversation", participants: [a.id] }],
      ["can_send", { channel_id: channel, sender_id: b.id }],
      ["record_observation", { owner_id: b.id, capability: "c", outcome: "completed" }],
      ["observe_task", { metadata: { task_id: "t", owner_id: b.id, spec: {}, state: "running" } }],
      ["report_turn_failure", { channel_id: channel, ...other, envelope_id: "e" }],
      ["prepare_turn", { channel_id: channel, ...other, envelope_id: "e" }],
    ];
    for (const [op, params] of calls) {
      const answer = await a.request(op, params);
      expect([op, answer.error_code]).toEqual([op, "access_denied"]);
    }
    expect(await bench.hub.getSkill(b.id)).toBeNull();
    expect((await bench.hub.getAgent(b.id)).name).toBe("b");
  });

  it("before anybody is bound only discovery, hello and register are open", async () => {
    const { bench, a, channel } = await three();
    const stranger = bench.connect({ profile: "ag2" });
    const open: [string, object][] = [
      ["get_agent", { name_or_id: "a" }],
      ["get_resume", { agent_id: a.id }],
      ["get_rule", { agent_id: a.id }],
      ["get_skill", { agent_id: a.id }],
      ["find_agent_id", { name: "a" }],
      ["names_for", { agent_ids: [a.id] }],
      ["list_agents", {}],
    ];
    for (const [op, params] of open)
      expect(await stranger.request(op, params)).toMatchObject({ ok: true });
    const shut: [string, object][] = [
      ["post_envelope", textOf(channel, a.id)],
      ["read_wal", { channel_id: channel }],
      ["list_channels", {}],
      ["get_task", { task_id: "t" }],
      ["list_tasks", {}],
      ["checkpoint_task", { task_id: "t", state: {} }],
      ["update_task", { task_id: "t" }],
      ["fire_task_event", { task_id: "t", kind: "mirror_failed" }],
      ["close_channel", { channel_id: channel }],
      ["set_rule", { agent_id: a.id, rule: "malformed" }],
    ];
    for (const [op, params] of shut) {
      expect([op, (await stranger.request(op, params)).error_code]).toEqual([op, "auth_failed"]);
    }
  });

  it("never shows a claim", async () => {
    const bench = await openConnectionBench(withKeys());
    const a = bench.connect();
    const id = await a.register("a", keyed("a"));
    const shown = [
      await a.call("get_agent", { name_or_id: id }),
      await a.call("list_agents"),
      a.peer.frames,
    ];
    expect(JSON.stringify(shown)).not.toContain(KEYS.a);
    expect(shown[0]).toMatchObject({ auth: { scheme: "api_key", claim: {} } });
  });
});

describe("hello", () => {
  it("N-192 binds a registered name and welcomes it", async () => {
    const bench = await openConnectionBench();
    const id = await bench.connect().register("n");
    const link = bench.connect({ profile: "ag2" });
    const welcome = await link.hello("n");
    expect(welcome).toMatchObject({ kind: "welcome", endpoint_id: link.connection.endpointId });
    expect(bench.context.delivery.connectionOf(id)?.endpointId).toBe(link.connection.endpointId);
  });

  it("N-193 accepts the right token", async () => {
    const bench = await openConnectionBench(withKeys());
    const id = await bench.connect().register("a", keyed("a"));
    const link = bench.connect();
    expect(await link.hello("a", claimOf(KEYS.a))).toMatchObject({ kind: "welcome" });
    expect(bench.context.delivery.connectionOf(id)?.endpointId).toBe(link.connection.endpointId);
  });

  it("N-194 refuses a wrong token and binds nothing", async () => {
    const bench = await openConnectionBench(withKeys());
    const first = bench.connect();
    const id = await first.register("a", keyed("a"));
    first.drop();
    const error = await bench.connect().hello("a", claimOf("wrong"));
    expect(error).toMatchObject({ kind: "error", code: "auth_failed" });
    expect(error).toHaveProperty("message", expect.stringContaining("mismatch"));
    expect(bench.context.delivery.connectionOf(id)).toBeNull();
  });

  it("N-195 refuses a scheme that the hub does not have", async () => {
    const bench = await openConnectionBench(withKeys());
    const first = bench.connect();
    const id = await first.register("a", keyed("a"));
    first.drop();
    const error = await bench.connect().hello("a", { auth_scheme: "oauth" });
    expect(error).toMatchObject({ kind: "error", code: "auth_failed" });
    expect(error).toHaveProperty("message", expect.stringContaining("unknown auth scheme"));
    expect(bench.context.delivery.connectionOf(id)).toBeNull();
  });

  it("N-196 says that a name is unknown without looking at the claim", async () => {
    let asked = 0;
    const spy = {
      scheme: "api_key",
      async validate() {
        asked += 1;
      },
    };
    const bench = await openConnectionBench({ authenticators: [createNoAuth(), spy] });
    const error = await bench.connect().hello("nobody", claimOf("some token"));
    expect(error).toMatchObject({ kind: "error", code: "not_found" });
    expect(asked).toBe(0);
  });

  it("wants the registered scheme, whatever else the hub accepts", async () => {
    const bench = await openConnectionBench(withKeys());
    await bench.connect().register("a", keyed("a"));
    const error = await bench.connect().hello("a");
    expect(error).toMatchObject({ kind: "error", code: "auth_failed" });
    expect(error).toHaveProperty("message", expect.stringContaining("does not match"));
  });

  it("takes scheme none from this machine only", async () => {
    const bench = await openConnectionBench(withKeys());
    await bench.connect().register("c");
    const far = bench.connect({ loopback: false });
    expect(await far.hello("c")).toMatchObject({ kind: "error", code: "auth_failed" });
    const passport = { name: "d" };
    const answer = await far.request("register", { passport, resume: {} });
    expect(answer).toMatchObject({ ok: false, error_code: "auth_failed" });
    expect(await far.register("a", keyed("a"))).toMatch(/^[0-9a-f]{32}$/);
  });

  it("tells what colloquy.v1 wants to know, and the bare profile nothing more", async () => {
    const bench = await openConnectionBench();
    const id = await bench.connect().register("n");
    const welcome = await bench.connect().hello("n");
    expect(welcome).toMatchObject({ agent_id: id, name: "n", hub_time: expect.any(String) });
  });

  it("holds what follows a hello until the claim is checked", async () => {
    let release = (): void => undefined;
    const slow = {
      scheme: "slow",
      validate: (passport: { agent_id: string | null }) =>
        passport.agent_id === null
          ? Promise.resolve()
          : new Promise<void>((resolve) => {
              release = resolve;
            }),
    };
    const bench = await openConnectionBench({ authenticators: [slow] });
    const id = await bench.connect().register("n", { auth: { scheme: "slow" } });
    const link = bench.connect();
    link.send({ kind: "hello", name: "n", auth_scheme: "slow" });
    link.send({
      kind: "request",
      request_id: "1",
      op: "pending_turns_for",
      params: { agent_id: id },
    });
    await settle();
    expect(link.peer.frames).toEqual([]);
    release();
    await settle();
    expect(link.peer.frames.map(({ kind }) => kind)).toEqual(["welcome", "response"]);
    expect(link.peer.frames[1]).toMatchObject({ ok: true, result: [] });
  });

  it("gives up on an authenticator that never answers", async () => {
    const mute = {
      scheme: "mute",
      validate: (passport: { agent_id: string | null }) =>
        passport.agent_id === null ? Promise.resolve() : new Promise<void>(() => undefined),
    };
    const bench = await openConnectionBench({ authenticators: [mute] });
    await bench.connect().register("n", { auth: { scheme: "mute" } });
    const other = await bench.join("m", "colloquy.v1").catch(() => null);
    expect(other).toBeNull();
    const link = bench.connect();
    await link.register("k", { auth: { scheme: "mute" } });
    link.send({ kind: "hello", name: "n", auth_scheme: "mute" });
    await bench.clock.advanceAsync(10_000);
    expect(link.peer.frames.at(-1)).toMatchObject({ kind: "error", code: "auth_failed" });
    expect(link.peer.closed).toBeNull();
  });
});
