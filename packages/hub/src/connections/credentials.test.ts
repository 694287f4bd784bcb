import { AuthError, createPassport, createResume } from "@colloquy/protocol";
import { settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../test/edge/connection-bench.js";
import type { Authenticator } from "../auth/auth-registry.js";

const HOUR = 3_600_000;
const byKey = (token: string) => ({ auth: { scheme: "api_key", claim: { token } } });
const claimOf = (token: string) => ({ auth_scheme: "api_key", auth_claim: { token } });

type Bench = Awaited<ReturnType<typeof openConnectionBench>>;
const boundTo = (bench: Bench, id: string) =>
  bench.context.delivery.connectionOf(id)?.endpointId ?? null;

/** An agent with a key of the hub's, on a connection of its own. */
async function keyed(ttlMs: number | null = null, profile: "ag2" | "colloquy.v1" = "colloquy.v1") {
  const bench = await openConnectionBench();
  const { secret, key } = await bench.hub.keys.issue({ name: "ada", ttlMs });
  const link = bench.connect({ profile, loopback: false });
  const id = await link.register("ada", byKey(secret));
  return { bench, secret, key, link, id };
}

describe("keys that the hub keeps", () => {
  it("register and bind their own name and no other, from anywhere", async () => {
    const { bench, secret, link, id } = await keyed();
    expect(boundTo(bench, id)).toBe(link.connection.endpointId);
    const stranger = bench.connect({ loopback: false });
    const passport = createPassport({ name: "bob", ...byKey(secret) });
    const answer = await stranger.request("register", { passport, resume: createResume() });
    expect(answer).toMatchObject({ ok: false, error_code: "auth_failed" });
    expect(answer.error_message).toContain("api_key mismatch for 'bob'");
    const back = bench.connect({ loopback: false });
    expect(await back.hello("ada", claimOf(secret))).toMatchObject({ kind: "welcome" });
    expect(boundTo(bench, id)).toBe(back.connection.endpointId);
  });

  it("of a service speak for every agent that fits, and for no other", async () => {
    const bench = await openConnectionBench();
    const { secret } = await bench.hub.keys.issue({
      name: "crew",
      role: "service",
      agents: ["crew-*"],
    });
    const link = bench.connect({ loopback: false });
    const ids = [
      await link.register("crew-1", byKey(secret)),
      await link.register("crew-2", byKey(secret)),
    ];
    expect(ids.map((id) => boundTo(bench, id))).toEqual(ids.map(() => link.connection.endpointId));
    const passport = createPassport({ name: "captain", ...byKey(secret) });
    const answer = await link.request("register", { passport, resume: createResume() });
    expect(answer).toMatchObject({ ok: false, error_code: "auth_failed" });
    expect(answer.error_message).toContain("whose patterns leave out 'captain'");
  });

  it("of an operator speak for no agent", async () => {
    const bench = await openConnectionBench();
    const { secret } = await bench.hub.keys.issue({ name: "root", role: "operator" });
    const passport = createPassport({ name: "root", ...byKey(secret) });
    const answer = await bench.connect().request("register", { passport, resume: createResume() });
    expect(answer.error_message).toContain("which speaks for no agent");
  });

  it("beside keys of the embedder: each is tried, and what is neither is refused", async () => {
    const { createApiKeyAuth } = await import("../auth/api-key-auth.js");
    const bench = await openConnectionBench({
      authenticators: [createApiKeyAuth({ keys: { ada: "from-the-config" } })],
    });
    expect(bench.hub.authSchemes).toEqual(["api_key"]);
    await bench.connect().register("ada", byKey("from-the-config"));
    const { secret } = await bench.hub.keys.issue({ name: "ada" });
    for (const token of [secret, "from-the-config"]) {
      expect(await bench.connect().hello("ada", claimOf(token))).toMatchObject({ kind: "welcome" });
    }
    const refused = await bench.connect().hello("ada", claimOf("neither"));
    expect(refused).toMatchObject({ code: "auth_failed", message: "api_key mismatch for 'ada'" });
  });
});

describe("a credential that ends", () => {
  it.each(["ag2", "colloquy.v1"] as const)(
    "by revocation closes its %s connection at once",
    async (profile) => {
      const { bench, key, link, id, secret } = await keyed(null, profile);
      await bench.hub.keys.revoke(key.key_id);
      expect(boundTo(bench, id)).toBeNull();
      expect(link.peer.closed).toEqual({ code: 4010, reason: "the credential has been revoked" });
      const again = await bench.connect().hello("ada", claimOf(secret));
      expect(again).toMatchObject({
        code: "auth_failed",
        message: "the api_key of 'ada' has been revoked",
      });
    },
  );

  it("leaves alone who shares the connection, and those with another key of the name", async () => {
    const bench = await openConnectionBench();
    const first = await bench.hub.keys.issue({ name: "ada" });
    const second = await bench.hub.keys.issue({ name: "ada" });
    const link = bench.connect();
    const ada = await link.register("ada", byKey(first.secret));
    const bob = await link.register("bob");
    await bench.hub.keys.revoke(second.key.key_id);
    expect(boundTo(bench, ada)).not.toBeNull();
    await bench.hub.keys.revoke(first.key.key_id);
    expect([boundTo(bench, ada) === null, boundTo(bench, bob) === null]).toEqual([true, false]);
    expect(link.peer.closed).toBeNull();
    expect(link.peer.frames.at(-1)).toMatchObject({ kind: "hint", hint: "unbound", agent_id: ada });
    const answer = await link.request("pending_turns_for", { agent_id: ada });
    expect(answer).toMatchObject({ ok: false, error_code: "access_denied" });
  });

  it("by expiry ends the binding, after a notice", async () => {
    const { bench, link, id } = await keyed(HOUR);
    bench.clock.advance(HOUR - 60_000);
    await settle();
    expect(link.peer.frames.at(-1)).toMatchObject({
      ...{ kind: "hint", hint: "renew", agent_id: id, retry_after_ms: 60_000 },
    });
    bench.clock.advance(59_999);
    expect(boundTo(bench, id)).not.toBeNull();
    bench.clock.advance(1);
    expect(boundTo(bench, id)).toBeNull();
    expect(link.peer.closed).toEqual({ code: 4010, reason: "the credential has expired" });
  });

  it("goes on with a fresh one, by renew or by a second hello", async () => {
    const { bench, link, id, key } = await keyed(HOUR);
    const next = await bench.hub.keys.rotate(key.key_id, { ttlMs: 3 * HOUR, overlapMs: HOUR });
    const renewed = await link.call("renew", { agent_id: id, claim: { token: next.secret } });
    expect(renewed).toEqual({ expires_at: next.key.expires_at });
    bench.clock.advance(2 * HOUR);
    expect(boundTo(bench, id)).toBe(link.connection.endpointId);
    const last = await bench.hub.keys.issue({ name: "ada" });
    expect(await link.hello("ada", claimOf(last.secret))).toMatchObject({ kind: "welcome" });
    bench.clock.advance(2 * HOUR);
    expect(boundTo(bench, id)).toBe(link.connection.endpointId);
    expect(link.peer.closed).toBeNull();
  });

  it("is not renewed by another agent's, and a failed renewal changes nothing", async () => {
    const { bench, link, id } = await keyed(HOUR);
    const other = await bench.hub.keys.issue({ name: "bob" });
    for (const token of [other.secret, "guess"]) {
      const answer = await link.request("renew", { agent_id: id, claim: { token } });
      expect(answer).toMatchObject({ ok: false, error_code: "auth_failed" });
    }
    expect(boundTo(bench, id)).toBe(link.connection.endpointId);
    bench.clock.advance(HOUR);
    expect(boundTo(bench, id)).toBeNull();
  });

  it("by a rotation's overlap ends what the old key has bound", async () => {
    const { bench, link, id, key } = await keyed();
    await bench.hub.keys.rotate(key.key_id, { overlapMs: HOUR });
    expect(boundTo(bench, id)).not.toBeNull();
    bench.clock.advance(HOUR);
    expect(boundTo(bench, id)).toBeNull();
    expect(link.peer.closed?.code).toBe(4010);
  });

  it("while a registration is made durable binds nobody", async () => {
    const bench = await openConnectionBench();
    const { secret, key } = await bench.hub.keys.issue({ name: "ada" });
    const link = bench.connect();
    const passport = createPassport({ name: "ada", ...byKey(secret) });
    const registering = link.request("register", { passport, resume: createResume() });
    const revoking = bench.hub.keys.revoke(key.key_id);
    await Promise.all([registering, revoking]);
    const id = bench.hub.findAgentId("ada");
    expect(id === null || boundTo(bench, id) === null).toBe(true);
  });

  it("leaves nothing behind once its connection is gone", async () => {
    const { bench, link, key } = await keyed(HOUR);
    const before = bench.context.deadlines.size;
    link.drop();
    expect(bench.context.deadlines.size).toBeLessThan(before);
    await bench.hub.keys.revoke(key.key_id);
    bench.clock.advance(HOUR);
    expect(link.peer.closed).toBeNull();
  });

  it("stops what the agent sends, and delivers nothing more to it", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const { secret, key } = await bench.hub.keys.issue({ name: "ada" });
    const link = bench.connect();
    const ada = await link.register("ada", byKey(secret));
    const bob = await bench.join("bob");
    const channel = await bench.open("discussion", bob.id, ada);
    await settle();
    const seen = link.peer.notifies.length;
    await bench.hub.keys.revoke(key.key_id);
    await bob.call("post", textOf(channel, bob.id));
    link.send({ kind: "request", request_id: "late", op: "post", params: textOf(channel, ada) });
    await settle();
    expect(link.peer.notifies).toHaveLength(seen);
    const texts = (await bench.hub.readWal(channel)).filter(
      ({ event_type }) => event_type === "ag2.msg.text",
    );
    expect(texts.map(({ sender_id }) => sender_id)).toEqual([bob.id]);
  });
});

describe("an authenticator of somebody else's", () => {
  it("that fails or repeats a claim gives no secret away", async () => {
    const secret = "hunter2-hunter2";
    const leaky: Authenticator = {
      scheme: "leaky",
      async validate(_passport, claim) {
        if (claim["how"] === "throw") throw new TypeError(`cannot read ${secret} of undefined`);
        throw new AuthError(`'${secret}' is wrong`);
      },
    };
    const bench = await openConnectionBench({ authenticators: [leaky] });
    const link = bench.connect();
    for (const how of ["throw", "refuse"]) {
      const auth = { scheme: "leaky", claim: { token: secret, how } };
      const passport = createPassport({ name: "ada", auth });
      const answer = await link.request("register", { passport, resume: createResume() });
      expect(answer).toMatchObject({ ok: false, error_code: "auth_failed" });
    }
    const shown = [link.peer.frames, bench.logger.lines, await bench.hub.audit.readAll()];
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(JSON.stringify(bench.logger.lines)).toContain("an authenticator failed");
  });
});

describe("an agent that the embedder takes out", () => {
  it("leaves a connection that must say hello again or is closed", async () => {
    const bench = await openConnectionBench();
    const a = await bench.join("a");
    bench.clock.advance(60_000);
    expect(a.peer.closed).toBeNull();
    await bench.hub.unregister(a.id);
    bench.clock.advance(9_999);
    expect(a.peer.closed).toBeNull();
    bench.clock.advance(1);
    await until(() => a.peer.closed !== null || undefined);
    expect(a.peer.closed).toMatchObject({ code: 4001 });
  });
});
