import { once } from "node:events";
import { connect } from "node:net";
import { EV_TEXT } from "@colloquy/protocol";
import { createFakeClock, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { textOf } from "../../../../test/edge/connection-bench.js";
import {
  frameBytes,
  openRawSocket,
  openTcp,
  upgradeRequest,
} from "../../../../test/edge/raw-socket.js";
import {
  closeOf,
  openServedHub,
  type RawClient,
  type ServedHubOptions,
} from "../../../../test/edge/served-hub.js";

/** Two agents in a conversation, each on its own socket, and a way to see that they can talk. */
async function openTalk(options: ServedHubOptions = {}) {
  const served = await openServedHub(options);
  served.acceptInvitations();
  const [a, b] = [await served.connect(), await served.connect()];
  const [aId, bId] = [await a.register("a"), await b.register("b")];
  const channel = await served.open("conversation", aId, bId);
  const hears = async (from: RawClient, sender: string, to: RawClient): Promise<void> => {
    const id = await from.call<string>("post_envelope", textOf(channel, sender));
    await until(() => to.notifies.some(({ envelope }) => envelope.envelope_id === id));
  };
  const stillTalk = async (): Promise<void> => {
    await hears(a, aId, b);
    await hears(b, bId, a);
    expect([a.closeCode, b.closeCode]).toEqual([null, null]);
  };
  return { served, a, b, aId, bId, channel, stillTalk };
}

describe("hostile sockets", () => {
  it("F-051 a frame beyond the limit closes its own socket with 1009 and is counted", async () => {
    const { served, stillTalk } = await openTalk({ serve: { maxFrameBytes: 1_048_576 } });
    await using _served = served;
    const third = await served.connect();
    await third.register("c");
    third.web.send("x".repeat(5 * 1_048_576));
    expect(await closeOf(third)).toBe(1009);
    expect(served.server.counters.oversized).toBe(1);
    await stillTalk();
    expect(served.hub.health().status).toBe("ok");
  });

  it("F-052 breaches of the protocol close their own socket and nothing else", async () => {
    const { served, stillTalk } = await openTalk();
    await using _served = served;
    const { port } = served.server;
    const breaches: [Buffer, number][] = [
      [frameBytes(0xf1, Buffer.from("x")), 1002],
      [frameBytes(0x89, Buffer.alloc(126)), 1002],
      [frameBytes(0x81, Buffer.from([0xc3, 0x28])), 1007],
    ];
    for (const [bytes, code] of breaches) {
      const raw = await openRawSocket(port);
      raw.socket.write(bytes);
      expect(await until(() => raw.closeCode)).toBe(code);
      raw.socket.end();
      await once(raw.socket, "close");
    }
    expect(served.server.counters.violations).toBe(3);

    const request = upgradeRequest(port);
    for (const part of [request.slice(0, 40), request]) {
      const socket = await openTcp(port);
      socket.write(part);
      socket.resetAndDestroy();
      await once(socket, "close");
    }
    await stillTalk();
    await until(() => served.server.connections === 2);
    expect(served.logger.at("error")).toEqual([]);
  });

  it("a peer that vanishes is dropped after some beats, is offline, and finds all on its return", async () => {
    const { served, a, aId, b, bId, channel } = await openTalk({ serve: { heartbeatMs: 100 } });
    await using _served = served;
    await until(() => b.notifies.length > 0);
    b.web.pause();
    const since = performance.now();
    await until(() => served.server.counters.silent === 1);
    expect(performance.now() - since).toBeLessThan(1_000);
    expect(served.server.connections).toBe(1);
    const id = await a.call<string>("post_envelope", textOf(channel, aId));
    expect(served.hub.ledger(channel, id)).toMatchObject([{ recipient_id: bId, state: "queued" }]);
    expect(a.closeCode).toBeNull();
    const back = await served.connect();
    back.send({ kind: "hello", name: "b", since_envelope_id: "" });
    await until(() => back.notifies.some(({ envelope }) => envelope.envelope_id === id));
  });

  it("F-054 whatever comes in counts as alive, and an unknown frame is answered", async () => {
    const { served, a } = await openTalk({ serve: { heartbeatMs: 30 } });
    await using _served = served;
    // Busy: its process answers pings of the protocol and says nothing else.
    let beats = 0;
    a.web.on("ping", () => {
      beats += 1;
    });
    // Old: it answers no ping, but it talks; and it knows no frames but its own.
    const old = await openRawSocket(served.server.port);
    const talk = (frame: object): void => {
      old.socket.write(frameBytes(0x81, Buffer.from(JSON.stringify(frame))));
    };
    const timer = setInterval(() => talk({ kind: "ping" }), 10);
    try {
      await until(() => beats >= 6);
    } finally {
      clearInterval(timer);
    }
    talk({ kind: "from-the-future", field: 1 });
    await until(() => old.received.includes('"kind":"error"'));
    expect(served.server.counters.silent).toBe(0);
    expect(old.socket.destroyed).toBe(false);
    expect(a.closeCode).toBeNull();
    expect(old.received.includes("hint")).toBe(false);
    old.socket.destroy();
  });

  it("F-055 one that stops reading is parked at its bound; the others get everything", async () => {
    const bound = 512 * 1_024;
    const limits = { maxBufferedBytes: bound, deliveryWindow: 10_000 };
    const served = await openServedHub({ limits });
    await using _served = served;
    served.acceptInvitations();
    const roomy = { limits: { inbox: { max_pending: 0 } } };
    const clients: RawClient[] = [];
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      const client = await served.connect();
      clients.push(client);
      ids.push(await client.register(`agent-${n}`, roomy));
    }
    const [poster = "", ...others] = ids;
    const crowd = await served.open("discussion", poster, ...others);
    const slow = clients[19] as RawClient;
    const slowPeer = served.peers[19];
    const quick = clients.slice(1, 19);
    for (const client of quick) client.ackAll();
    slow.web.pause();

    const count = 1_000;
    const event = { event_type: "ag2.task.progress", event_data: { text: "x".repeat(10_240) } };
    const posted: string[] = [];
    let most = 0;
    for (let sent = 0; sent < count; sent += 20) {
      const batch = Array.from({ length: 20 }, () =>
        served.hub.postEnvelope({ channel_id: crowd, sender_id: poster, ...event }),
      );
      posted.push(...(await Promise.all(batch)));
      most = Math.max(most, slowPeer?.bufferedBytes ?? 0);
    }
    const progressOf = (client: RawClient) =>
      client.notifies
        .filter(({ envelope }) => envelope.event_type === event.event_type)
        .map(({ envelope }) => envelope.envelope_id);
    for (const client of quick) await until(() => progressOf(client).length >= count);
    for (const client of quick) expect(progressOf(client)).toEqual(posted);
    expect(most).toBeGreaterThan(bound / 4);
    expect(most).toBeLessThanOrEqual(bound);

    slow.web.terminate();
    const back = await served.connect();
    back.ackAll();
    back.send({ kind: "hello", name: "agent-19", since_envelope_id: "" });
    await until(() => new Set(progressOf(back)).size >= count, { timeoutMs: 10_000 });
    expect(progressOf(back)).toEqual(posted);
  }, 60_000);

  it("F-056 a peer that never answers a close is gone in bounded time, and its place is free", async () => {
    const served = await openServedHub({
      limits: { helloDeadlineMs: 50 },
      serve: { closeTimeoutMs: 100, maxConnections: 1 },
    });
    await using _served = served;
    const raw = await openRawSocket(served.server.port);
    expect(await until(() => raw.closeCode)).toBe(4001);
    await once(raw.socket, "close");
    await until(() => served.server.connections === 0);
    expect(served.hub.health().connections).toBe(0);
    const next = await served.connect();
    expect(await next.register("a")).not.toBe("");
  });

  it("F-058 those who do not say who they are are few, short-lived and powerless", async () => {
    const limits = { helloDeadlineMs: 10_000, maxUnboundConnections: 50 };
    const clock = createFakeClock();
    const served = await openServedHub({ limits, clock });
    await using _served = served;
    const eager = await served.connect();
    const answer = await eager.request("post_envelope", textOf("c".repeat(32), "a".repeat(32)));
    expect(answer).toMatchObject({ ok: false, error_code: "auth_failed" });
    const crowd = await Promise.all(Array.from({ length: 1_000 }, () => served.connect()));
    await until(() => crowd.filter(({ closeCode }) => closeCode === 4003).length === 951);
    const kept = crowd.filter(({ closeCode }) => closeCode === null);
    expect(kept).toHaveLength(49);
    expect(eager.closeCode).toBeNull();
    await clock.advanceAsync(10_000);
    for (const client of [...kept, eager]) expect(await closeOf(client)).toBe(4001);
    await until(() => served.server.connections === 0);
    expect(served.hub.health()).toMatchObject({ registered_agents: 0, connections: 0 });
    expect(await served.hub.listAgents()).toEqual([]);
  }, 60_000);

  it("sockets that never ask are bounded, and dropped once there are more", async () => {
    const served = await openServedHub({ serve: { maxConnections: 1 } });
    await using _served = served;
    const silent = Array.from({ length: 1_005 }, () => {
      const socket = connect(served.server.port, "127.0.0.1");
      return socket.on("error", () => undefined);
    });
    const dropped = () => silent.filter(({ destroyed }) => destroyed).length;
    try {
      await until(() => dropped() >= 4);
      expect(dropped()).toBeLessThanOrEqual(5);
    } finally {
      for (const socket of silent) socket.destroy();
    }
    const client = await until(() => served.connect().catch(() => null));
    expect(await client.register("a")).not.toBe("");
  }, 30_000);

  it("F-074 no blocked event loop of the hub costs a peer its connection", async () => {
    const { served, aId, channel } = await openTalk({ serve: { heartbeatMs: 100 } });
    await using _served = served;
    const crowd: RawClient[] = [];
    for (let n = 0; n < 9; n += 1) {
      const client = await served.connect();
      await client.register(`agent-${n}`);
      crowd.push(client);
    }
    for (let round = 0; round < 3; round += 1) {
      const until_ = performance.now() + 130;
      while (performance.now() < until_) Math.sqrt(round);
      await new Promise((resolve) => setImmediate(resolve));
    }
    let beats = 0;
    crowd[0]?.web.on("ping", () => {
      beats += 1;
    });
    await until(() => beats >= 3);
    expect(served.server.counters.silent).toBe(0);
    expect(served.server.connections).toBe(11);
    expect((await served.hub.getChannel(channel)).state).toBe("active");
    await served.hub.postEnvelope(textOf(channel, aId).envelope);
    const texts = (await served.hub.readWal(channel)).filter((e) => e.event_type === EV_TEXT);
    expect(texts).toHaveLength(1);
  });
});
