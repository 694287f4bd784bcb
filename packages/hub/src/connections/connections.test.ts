import { EV_TEXT, NotFoundError } from "@colloquy/protocol";
import { createFakePeer, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../test/edge/connection-bench.js";
import { createConnections } from "./connections.js";

describe("bounds on connections", () => {
  it("closes one that binds nobody in time, and not one that keeps asking", async () => {
    const bench = await openConnectionBench();
    const mute = bench.connect();
    const asking = bench.connect();
    const bound = await bench.join("a");
    for (let n = 0; n < 3; n += 1) {
      await bench.clock.advanceAsync(6_000);
      await asking.call("list_agents");
    }
    expect(mute.peer.closed).toMatchObject({ code: 4001 });
    expect(asking.peer.closed).toBeNull();
    expect(bound.peer.closed).toBeNull();
    await bench.clock.advanceAsync(6_000);
    const refused = await asking.request("get_channel", { channel_id: "x" });
    expect(refused.error_code).toBe("auth_failed");
    await bench.clock.advanceAsync(4_000);
    expect(asking.peer.closed).toMatchObject({ code: 4001 });
  });

  it("bounds those that speak for nobody", async () => {
    const bench = await openConnectionBench({ limits: { maxUnboundConnections: 2 } });
    const first = bench.connect();
    bench.connect();
    const third = bench.connect();
    expect(third.peer.closed).toMatchObject({ code: 4003 });
    third.send({ kind: "ping" });
    expect(third.peer.frames).toEqual([]);
    await first.register("a");
    expect(bench.connect().peer.closed).toBeNull();
    expect(bench.hub.health().registered_agents).toBe(1);
  });

  it("bounds the agents of one connection", async () => {
    const bench = await openConnectionBench({ limits: { maxAgentsPerConnection: 1 } });
    const a = await bench.join("a");
    await bench.join("b");
    const answer = await a.request("register", { passport: { name: "c" }, resume: {} });
    expect(answer).toMatchObject({ ok: false, error_code: "access_denied" });
    expect(bench.hub.findAgentId("c")).toBeNull();
    expect(await a.hello("b")).toMatchObject({ kind: "error", code: "access_denied" });
    expect(await a.hello("a")).toMatchObject({ kind: "welcome" });
  });

  it("counts registrations under way among the agents of a connection", async () => {
    const bench = await openConnectionBench({ limits: { maxAgentsPerConnection: 2 } });
    const link = bench.connect();
    const names = ["a", "b", "c", "d"];
    const answers = await Promise.all(
      names.map((name) => link.request("register", { passport: { name }, resume: {} })),
    );
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, false, false]);
    expect(answers[2]).toMatchObject({ error_code: "access_denied" });
    expect(names.map((name) => bench.hub.findAgentId(name) !== null)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const failed = bench.connect();
    const twice = ["e", "e", "f"].map((name) =>
      failed.request("register", { passport: { name }, resume: {} }),
    );
    await Promise.all(twice);
    expect(await failed.request("register", { passport: { name: "g" }, resume: {} })).toMatchObject(
      {
        ok: true,
      },
    );
  });

  it("bounds the requests under way, and answers the rest", async () => {
    const bench = await openConnectionBench({ limits: { maxRequestsInFlight: 1 } });
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const opening = a.request("create_channel", {
      creator_id: a.id,
      manifest_type: "conversation",
      participants: [b.id],
    });
    await settle();
    const refused = await a.request("list_agents");
    expect(refused).toMatchObject({ ok: false, error_code: "unavailable" });
    await bench.clock.advanceAsync(30_000);
    expect(await opening).toMatchObject({ ok: false });
    expect(await a.request("list_agents")).toMatchObject({ ok: true });
  });

  it("closes one that asks for more than it reads", async () => {
    const bench = await openConnectionBench({ limits: { maxBufferedBytes: 100 } });
    const a = await bench.join("a");
    a.peer.bufferedBytes = 101;
    a.send({ kind: "ping" });
    expect(a.peer.closed).toEqual({ code: 4008, reason: "slow reader" });
    expect(bench.context.delivery.connectionOf(a.id)).toBeNull();
  });

  it("takes nobody in while the hub drains, and tells those who are there", async () => {
    const bench = await openConnectionBench();
    const a = await bench.join("a");
    const bare = await bench.join("b", "ag2");
    await bench.hub.drain();
    expect(a.peer.frames.at(-1)).toMatchObject({ kind: "hint", hint: "drain" });
    expect(a.peer.closed?.code).toBe(1012);
    expect(bare.peer.frames.at(-1)).not.toMatchObject({ kind: "hint" });
    expect(bare.peer.closed?.code).toBe(1012);
    expect(bench.connect().peer.closed?.code).toBe(1012);
  });
});

describe("binding", () => {
  it("N-177 an endpoint that was never attached is refused", async () => {
    const bench = await openConnectionBench();
    const id = await bench.connect().register("a");
    const connections = createConnections(bench.hub, bench.context, {
      enrol: () => Promise.reject(new Error("nobody registers here")),
    });
    expect(() => connections.bind("no such endpoint", id)).toThrow(NotFoundError);
    expect(() => connections.bind("no such endpoint", id)).toThrow("endpoint not attached");
    const peer = createFakePeer();
    const { endpointId } = connections.accept(peer);
    connections.bind(endpointId, id);
    expect(connections.agentsAt(endpointId)).toEqual([id]);
    expect(() => connections.bind(endpointId, "nobody")).toThrow("agent not found");
    expect(connections.count).toBe(1);
  });

  it("N-178 three agents that register over one connection are bound to it, and it to exactly them", async () => {
    const bench = await openConnectionBench();
    const link = bench.connect();
    const ids = [await link.register("a"), await link.register("b"), await link.register("c")];
    const endpoints = ids.map((id) => bench.context.delivery.connectionOf(id)?.endpointId);
    expect(new Set(endpoints)).toEqual(new Set([link.connection.endpointId]));
    const bound = bench.context.delivery.connectionOf(ids[0] ?? "");
    expect(bound === null ? [] : bench.context.delivery.agentsOf(bound)).toEqual(ids);
  });

  it("the newest valid connection has the agent; the older one learns it and keeps the others", async () => {
    const bench = await openConnectionBench({ limits: { maxSwapsPerMinute: 3 } });
    bench.acceptInvitations();
    const older = bench.connect();
    const [a, other] = [await older.register("a"), await older.register("other")];
    const b = await bench.join("b");
    const channel = await bench.open("conversation", b.id, a);
    const second = await bench.open("conversation", b.id, other);
    await settle();
    older.peer.clear();

    const newer = bench.connect();
    expect(await newer.hello("a")).toMatchObject({ kind: "welcome" });
    expect(older.peer.frames).toMatchObject([{ kind: "hint", hint: "replaced", agent_id: a }]);
    await b.call("post", textOf(channel, b.id));
    await b.call("post", textOf(second, b.id));
    await settle();
    const texts = (link: typeof older) =>
      link.peer.notifies
        .filter(({ envelope }) => envelope.event_type === EV_TEXT)
        .map(({ recipient_id }) => recipient_id);
    expect(texts(newer)).toEqual([a]);
    expect(texts(older)).toEqual([other]);
    const refused = await older.request("pending_turns_for", { agent_id: a });
    expect(refused).toMatchObject({ ok: false, error_code: "access_denied" });
    expect(await older.request("pending_turns_for", { agent_id: other })).toMatchObject({
      ok: true,
    });

    // Both are alive and both come back when they are thrown out: the swaps are bounded.
    const links = [older, newer] as const;
    const outcomes: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const answer = await (links[n % 2] ?? older).hello("a");
      outcomes.push(answer.kind === "error" ? answer.code : answer.kind);
    }
    expect(outcomes.slice(0, 2)).toEqual(["welcome", "welcome"]);
    expect(outcomes.slice(2).filter((outcome) => outcome === "rate_limited").length).toBe(2);
    const holder = bench.context.delivery.connectionOf(a)?.endpointId;
    expect(holder).toBe(newer.connection.endpointId);
    await bench.clock.advanceAsync(60_000);
    expect(await older.hello("a")).toMatchObject({ kind: "welcome" });
  });

  it("an agent that unregisters leaves its connection unbound", async () => {
    const bench = await openConnectionBench();
    const a = await bench.join("a");
    await a.call("unregister", { agent_id: a.id });
    expect(await a.request("list_channels")).toMatchObject({ error_code: "auth_failed" });
    await bench.clock.advanceAsync(10_000);
    expect(a.peer.closed).toMatchObject({ code: 4001 });
  });

  it("a connection that closed while it registered leaves the agent registered and offline", async () => {
    const bench = await openConnectionBench();
    const link = bench.connect();
    const params = { passport: { name: "a" }, resume: {} };
    link.send({ kind: "request", request_id: "1", op: "register", params });
    link.drop();
    const id = await until(() => bench.hub.findAgentId("a"));
    await settle();
    expect(bench.context.delivery.connectionOf(id)).toBeNull();
    expect(bench.hub.health().connections).toBe(0);
    expect(link.peer.frames).toEqual([]);
  });

  it("a remote agent is neither registered nor bound over a connection", async () => {
    const bench = await openConnectionBench();
    const link = bench.connect();
    const passport = { name: "r", kind: "remote_agent" };
    const answer = await link.request("register", { passport, resume: {} });
    expect(answer).toMatchObject({ ok: false, error_code: "access_denied" });
  });
});
