import { once } from "node:events";
import { createServer } from "node:http";
import { InvalidInputError, SUBPROTOCOL } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { closeOf, openServedHub } from "../../../../test/edge/served-hub.js";
import { createApiKeyAuth } from "../auth/api-key-auth.js";
import { openHub } from "../open-hub.js";
import { serveWebSocket } from "./serve-web-socket.js";

/** Status with which an upgrade is refused, or 101. */
async function upgradeStatus(url: string, headers: Record<string, string>): Promise<number> {
  const web = new WebSocket(url, { headers });
  web.on("error", () => undefined);
  return new Promise((resolve) => {
    web.once("unexpected-response", (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    web.once("open", () => {
      web.terminate();
      resolve(101);
    });
  });
}

describe("serving over WebSocket", () => {
  it("N-182 a socket that says hello gets a welcome with its endpoint id", async () => {
    await using served = await openServedHub();
    const first = await served.connect();
    const id = await first.register("n");
    const client = await served.connect();
    client.send({ kind: "hello", name: "n" });
    const welcome = await until(() => client.frames.find(({ kind }) => kind === "welcome"));
    expect(welcome).toEqual({
      kind: "welcome",
      endpoint_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      hub_time: expect.any(String),
    });
    client.ackAll();
    expect(await client.call("pending_turns_for", { agent_id: id })).toEqual([]);
  });

  it("speaks colloquy.v1 to who asks for it, and refuses other subprotocols", async () => {
    await using served = await openServedHub({ serve: { heartbeatMs: 1_234 } });
    const client = await served.connect(["other", SUBPROTOCOL]);
    expect(client.web.protocol).toBe(SUBPROTOCOL);
    await client.register("n");
    client.send({ kind: "hello", name: "n", from_the_future: true });
    const welcome = await until(() => client.frames.find(({ kind }) => kind === "welcome"));
    expect(welcome).toMatchObject({ name: "n", heartbeat_ms: 1_234, max_frame_bytes: 1_048_576 });
    await expect(served.connect(["other"])).rejects.toThrow("400");
    expect(served.server.counters.refused).toBe(1);
  });

  it("N-169 an envelope over the socket is acknowledged over it", async () => {
    await using served = await openServedHub();
    served.acceptInvitations();
    const [a, b] = [await served.connect(), await served.connect()];
    const [aId, bId] = [await a.register("a"), await b.register("b")];
    const channel = await served.open("discussion", aId, bId);
    const id = await a.call<string>("post_envelope", {
      envelope: {
        channel_id: channel,
        sender_id: aId,
        audience: [bId],
        event_type: "ag2.task.progress",
        event_data: { done: 3 },
      },
    });
    const notify = await until(() => b.notifies.find((n) => n.envelope.envelope_id === id));
    expect(notify).toMatchObject({ recipient_id: bId, envelope: { event_data: { done: 3 } } });
    b.ack(notify);
    expect(await until(() => served.hub.inboxCursor(bId, channel))).toBe(id);
  });

  it("takes a binary message as text, and refuses one that is none", async () => {
    await using served = await openServedHub();
    const client = await served.connect();
    client.web.send(Buffer.from('{"kind":"ping"}'), { binary: true });
    await until(() => client.frames.some(({ kind }) => kind === "pong"));
    client.web.send(Buffer.from([0x7b, 0xff, 0xfe]), { binary: true });
    expect(await closeOf(client)).toBe(1007);
  });

  it("answers bad text with an error frame that names the request, and goes on", async () => {
    await using served = await openServedHub();
    const client = await served.connect([SUBPROTOCOL]);
    client.web.send("{nonsense");
    client.send({ kind: "request", request_id: "r1", op: 7 });
    client.send({ kind: "from-the-future" });
    await until(() => client.frames.length === 3);
    expect(client.frames).toMatchObject([
      { kind: "error", code: "invalid_input" },
      { kind: "error", code: "invalid_input", request_id: "r1" },
      { kind: "error", code: "invalid_input" },
    ]);
    expect((await client.request("list_agents")).ok).toBe(true);
  });

  it("F-057 a foreign origin is refused before the upgrade; none passes, because it is a program", async () => {
    const origin = "https://app.example.test";
    await using served = await openServedHub({ serve: { allowedOrigins: [origin] } });
    const statusFor = (headers: Record<string, string>) =>
      upgradeStatus(served.server.url, headers);
    expect(await statusFor({ Origin: "https://evil.test" })).toBe(403);
    expect(await statusFor({ Origin: "https://app.example.test.evil.test" })).toBe(403);
    expect(await statusFor({ Origin: "null" })).toBe(403);
    expect(await statusFor({ Origin: origin })).toBe(101);
    expect(await statusFor({})).toBe(101);
    expect(await statusFor({ Cookie: "session=1" })).toBe(101);
    expect(served.server.counters.refused).toBe(3);
    // A cookie opens nothing: only a claim does.
    const client = await served.connect([], { Cookie: "session=1" });
    expect((await client.request("list_channels")).error_code).toBe("auth_failed");
  });

  it("by default admits its own pages only, and not under a name that merely leads here", async () => {
    await using served = await openServedHub();
    const { url, port } = served.server;
    const statusFor = (host: string, origin: string) =>
      upgradeStatus(url, { Host: host, Origin: origin });
    const own = `127.0.0.1:${port}`;
    expect(await statusFor(own, `http://${own}`)).toBe(101);
    expect(await statusFor(own, "http://127.0.0.1:1")).toBe(403);
    expect(await statusFor(`evil.test:${port}`, `http://evil.test:${port}`)).toBe(403);
    expect(await statusFor(own, "null")).toBe(403);
  });

  it("answers healthz without secrets, points out the WebSocket and knows nothing else", async () => {
    await using served = await openServedHub({ serve: { path: "/ws" } });
    const base = `http://127.0.0.1:${served.server.port}`;
    const health = await fetch(`${base}/healthz`);
    expect(health.status).toBe(200);
    expect(await health.json()).toEqual({
      status: "ok",
      active_channels: 0,
      registered_agents: 0,
      connections: 0,
    });
    expect((await fetch(`${base}/ws`)).status).toBe(426);
    expect((await fetch(`${base}/elsewhere`)).status).toBe(404);
    expect((await fetch(`${base}/healthz`, { method: "POST" })).status).toBe(404);
    expect(await upgradeStatus(`ws://127.0.0.1:${served.server.port}/other`, {})).toBe(404);
    expect(await upgradeStatus(served.server.url, {})).toBe(101);
  });

  it("bounds the sockets that are open", async () => {
    await using served = await openServedHub({ serve: { maxConnections: 1 } });
    const first = await served.connect();
    await expect(served.connect()).rejects.toThrow("503");
    first.web.close();
    await until(() => served.server.connections === 0);
    expect((await served.connect()).web.readyState).toBe(WebSocket.OPEN);
  });

  it("serves another address only when nobody can come without proof, or when told to", async () => {
    const open = (keyed: boolean) =>
      openHub({
        store: createMemoryStore(),
        ...(keyed ? { authenticators: [createApiKeyAuth({ keys: {} })] } : {}),
      });
    const hub = await open(false);
    await expect(serveWebSocket(hub, { host: "0.0.0.0" })).rejects.toThrow(InvalidInputError);
    const open1 = await serveWebSocket(hub, { host: "0.0.0.0", allowUnauthenticated: true });
    expect(open1.port).toBeGreaterThan(0);
    await hub.close();
    await open1.stop();
    const keyed = await open(true);
    const open2 = await serveWebSocket(keyed, { host: "0.0.0.0" });
    await keyed.close();
    await open2.stop();
    await expect(serveWebSocket(hub, { heartbeatMs: -1 })).rejects.toThrow(RangeError);
  });

  it("does not take a proxy's clients for peers on this machine", async () => {
    await using served = await openServedHub();
    const far = await served.connect([], { "X-Forwarded-For": "203.0.113.9" });
    const passport = { name: "n" };
    const answer = await far.request("register", { passport, resume: {} });
    expect(answer).toMatchObject({ ok: false, error_code: "auth_failed" });
  });

  it("rejects when the address is taken", async () => {
    await using served = await openServedHub();
    const again = serveWebSocket(served.hub, { port: served.server.port });
    await expect(again).rejects.toThrow("EADDRINUSE");
  });

  it("shares a server that is not its own, and leaves it listening", async () => {
    const hub = await openHub({ store: createMemoryStore() });
    const httpServer = createServer((_request, response) => response.end("mine"));
    httpServer.listen(0, "127.0.0.1");
    await once(httpServer, "listening");
    const handle = await serveWebSocket(hub, { httpServer, path: "/ws" });
    expect(await upgradeStatus(handle.url, {})).toBe(101);
    await handle.stop();
    const page = await fetch(`http://127.0.0.1:${handle.port}/`);
    expect(await page.text()).toBe("mine");
    await hub.close();
    httpServer.closeAllConnections();
    httpServer.close();
  });

  it("stops with 1001, refuses after that, and may be stopped again", async () => {
    await using served = await openServedHub();
    const client = await served.connect();
    await Promise.all([served.server.stop(), served.server.stop()]);
    expect(await closeOf(client)).toBe(1001);
    await expect(served.connect()).rejects.toThrow("ECONNREFUSED");
  });

  it("goes with its hub", async () => {
    await using served = await openServedHub();
    const client = await served.connect([SUBPROTOCOL]);
    await served.hub.drain();
    expect(await closeOf(client)).toBe(1012);
    expect(client.frames).toMatchObject([{ kind: "hint", hint: "drain" }]);
    await until(async () => {
      await expect(served.connect()).rejects.toThrow();
      return true;
    });
  });
});
