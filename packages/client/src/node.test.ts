import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { HubFrame, LinkClosed, LinkHandlers } from "@colloquy/protocol";
import { createFakeClock, until } from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { createWebSocketLink } from "./link/web-socket-link.js";
import { createNodeLink } from "./node.js";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface TestServer {
  readonly url: string;
  readonly sockets: readonly WebSocket[];
  /** Subprotocol headers of the handshakes. */
  readonly asked: readonly (string | undefined)[];
}

/** A WebSocket server that is no hub. Without `choose` it selects no subprotocol. */
async function serve(choose?: () => string | false): Promise<TestServer> {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    handleProtocols: choose ?? (() => false),
  });
  ends.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const sockets: WebSocket[] = [];
  const asked: (string | undefined)[] = [];
  server.on("connection", (socket, request) => {
    sockets.push(socket);
    asked.push(request.headers["sec-websocket-protocol"]);
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, asked };
}

function listener() {
  const frames: HubFrame[] = [];
  const bad: Error[] = [];
  const closes: LinkClosed[] = [];
  const handlers: LinkHandlers = {
    onFrame: (frame) => void frames.push(frame),
    onBadFrame: (error) => void bad.push(error),
    onClosed: (closed) => void closes.push(closed),
  };
  return { frames, bad, closes, handlers };
}

const { signal } = new AbortController();

describe("the profile of a link", () => {
  it("is Colloquy's own where the server selects it", async () => {
    const { url, asked } = await serve(() => "colloquy.v1");
    const connection = await createNodeLink(url).connect(listener().handlers, signal);
    expect(connection.profile).toBe("colloquy.v1");
    expect(asked).toEqual(["colloquy.v1"]);
    connection.close();
  });

  it("is the bare one where the server selects no subprotocol", async () => {
    const { url, asked } = await serve();
    const connection = await createNodeLink(url).connect(listener().handlers, signal);
    expect(connection.profile).toBe("ag2");
    expect(asked.at(-1)).toBeUndefined();
    connection.close();
  });

  it("is the bare one where that is asked for, with one dial", async () => {
    const { url, asked } = await serve(() => "colloquy.v1");
    const link = createNodeLink(url, { profile: "ag2" });
    const connection = await link.connect(listener().handlers, signal);
    expect(connection.profile).toBe("ag2");
    expect(asked).toEqual([undefined]);
    connection.close();
  });

  it("never falls back once a hub has spoken Colloquy's own", async () => {
    let chosen: string | false = "colloquy.v1";
    const { url, asked } = await serve(() => chosen);
    const link = createNodeLink(url);
    (await link.connect(listener().handlers, signal)).close();
    chosen = false;
    await expect(link.connect(listener().handlers, signal)).rejects.toThrow("subprotocol");
    expect(asked.every((header) => header === "colloquy.v1")).toBe(true);
  });
});

describe("a dial that fails", () => {
  it("rejects once, naming the address and the cause, without a second dial", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      response.writeHead(503).end();
    });
    server.on("upgrade", (_request, socket) => {
      requests += 1;
      socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n");
    });
    ends.push(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const dialling = createNodeLink(url).connect(listener().handlers, signal);
    await expect(dialling).rejects.toThrow(/cannot reach ws:.*503/);
    expect(requests).toBe(1);
  });

  it("is given up after a time", async () => {
    const server = createServer();
    let upgraded = false;
    server.on("upgrade", () => {
      upgraded = true;
    });
    ends.push(() => server.closeAllConnections());
    ends.push(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = createFakeClock();
    const link = createNodeLink(url, { clock, openTimeoutMs: 500 });
    const failing = link
      .connect(listener().handlers, signal)
      .catch((error: Error) => error.message);
    await until(() => upgraded);
    clock.advance(500);
    expect(await failing).toContain("did not open within 500 ms");
    expect(clock.pendingTimers).toBe(0);
  });

  it("can be aborted while it lasts", async () => {
    const server = createServer();
    let upgraded = false;
    server.on("upgrade", () => {
      upgraded = true;
    });
    ends.push(() => server.closeAllConnections());
    ends.push(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const abort = new AbortController();
    const dialling = createNodeLink(url).connect(listener().handlers, abort.signal);
    const failing = expect(dialling).rejects.toThrow("enough");
    await until(() => upgraded);
    abort.abort(new Error("enough"));
    await failing;
  });

  it("cannot even begin without a proper address or a constructor", () => {
    expect(() => createNodeLink("http://127.0.0.1")).toThrow(TypeError);
    expect(() => createNodeLink("nonsense")).toThrow("ws: or wss:");
    if (Reflect.get(globalThis, "WebSocket") !== undefined) return;
    expect(() => createWebSocketLink({ url: "ws://127.0.0.1" })).toThrow("createNodeLink");
  });
});

describe("frames on a socket", () => {
  it("may come as bytes, and what is no frame harms nothing", async () => {
    const { url, sockets } = await serve(() => "colloquy.v1");
    const heard = listener();
    const connection = await createNodeLink(url).connect(heard.handlers, signal);
    const socket = await until(() => sockets[0]);
    socket.send("not json");
    socket.send(Buffer.from('{"kind":"ping"}'), { binary: true });
    await until(() => heard.frames.length === 1);
    expect(heard.frames).toEqual([{ kind: "ping" }]);
    expect(heard.bad).toHaveLength(1);
    connection.close();
  });

  it("that are too large are refused before they cost the connection", async () => {
    const { url, sockets } = await serve(() => "colloquy.v1");
    const link = createNodeLink(url, { maxFrameBytes: 200 });
    const heard = listener();
    const connection = await link.connect(heard.handlers, signal);
    const request = (text: string) => ({
      kind: "request" as const,
      request_id: "1",
      op: "x",
      params: { text },
    });
    const received: string[] = [];
    (await until(() => sockets[0])).on("message", (data) => received.push(String(data)));
    expect(() => connection.send(request("ü".repeat(100)))).toThrow("limit of 200 bytes");
    connection.send(request("u".repeat(100)));
    await until(() => received.length === 1);
    expect(heard.closes).toEqual([]);
    connection.close();
  });

  it("that never get a goodbye end the connection with 1006", async () => {
    const { url, sockets } = await serve(() => "colloquy.v1");
    const heard = listener();
    const connection = await createNodeLink(url).connect(heard.handlers, signal);
    (await until(() => sockets[0])).terminate();
    await until(() => heard.closes.length === 1);
    expect(heard.closes[0]?.code).toBe(1006);
    connection.send({ kind: "ping" });
  });

  it("carry the headers of the handshake", async () => {
    let header: string | undefined;
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    ends.push(() => server.close());
    server.on("connection", (_socket, request) => {
      header = request.headers["authorization"];
    });
    await new Promise((resolve) => server.once("listening", resolve));
    const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const link = createNodeLink(address, { headers: { authorization: "Bearer x" } });
    const connection = await link.connect(listener().handlers, signal);
    expect(header).toBe("Bearer x");
    connection.close();
  });
});
