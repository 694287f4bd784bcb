import { createServer, type Server as HttpServer, type IncomingMessage } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { InvalidInputError } from "@colloquy/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import type { Hub } from "../hub.js";
import { attachSocket, type SocketRoom } from "./attach-socket.js";
import { checkUpgrade } from "./check-upgrade.js";
import { createCounters, type ServeCounters } from "./counters.js";
import { createHeartbeat } from "./heartbeat.js";
import { answerRequest, refuseUpgrade } from "./http-answers.js";
import { isLoopbackHost } from "./loopback.js";
import { requireOperatorHost } from "./operator-request.js";
import { completeOptions, type ServeOptions, type ServeSettings } from "./options.js";
import { createTickFlush } from "./tick-flush.js";
import { agreedSubprotocol } from "./web-socket-peer.js";

/** The hub as a server of sockets needs it. */
export type ServedHub = Pick<Hub, "accept" | "health" | "checkHealth" | "authSchemes" | "closed"> &
  Partial<Pick<Hub, "operators">>;

/** A server that listens. */
export interface WebSocketServerHandle {
  /** Where clients connect, such as `ws://127.0.0.1:7420`; with the path, if there is one. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Open sockets. */
  readonly connections: number;
  /** What has been counted since the start. */
  readonly counters: Readonly<ServeCounters>;
  /**
   * Stops listening, closes every socket and resolves when all are gone, within `closeTimeoutMs`.
   * May be repeated. Default code 1001, going away; 1012 says that the hub comes back.
   */
  stop(code?: number, reason?: string): Promise<void>;
}

/** Slow or silent requests are dropped after so many milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How often those are looked for. */
const REQUEST_CHECK_MS = 2_500;
/** Sockets beside those that are upgraded, which may be about to ask or to be refused; more are dropped unread. */
const MAX_WAITING_SOCKETS = 1_000;
const CLOSE_GOING_AWAY = 1001;

/**
 * Serves a hub over WebSocket. A socket without a subprotocol speaks AG2's profile, one that asks
 * for `colloquy.v1` that one; other subprotocols are refused. It stops by itself when the hub closes.
 *
 * Rejects with `InvalidInputError` for a host beyond this machine while scheme `none` is accepted,
 * unless `allowUnauthenticated` is set; with `RangeError` for a senseless number; with the system's
 * error when the address cannot be listened on.
 */
export async function serveWebSocket(
  hub: ServedHub,
  options: ServeOptions = {},
): Promise<WebSocketServerHandle> {
  const settings = completeOptions(options);
  const server = options.httpServer ?? createOwnServer(hub, settings);
  if (options.httpServer === undefined) {
    requireSafeHost(hub, settings);
    const { operators } = hub;
    if (settings.metricsPage !== null && operators !== undefined) {
      requireOperatorHost({ operators }, settings.host);
    }
    await listen(server, settings);
  }
  return attachServer(hub, settings, server, options.httpServer === undefined);
}

function attachServer(
  hub: ServedHub,
  settings: ServeSettings,
  server: HttpServer | HttpsServer,
  isOwn: boolean,
): WebSocketServerHandle {
  const room: SocketRoom = {
    hub,
    settings,
    counters: createCounters(),
    heartbeat: createHeartbeat(settings.clock, settings.heartbeatMs),
    flush: createTickFlush(),
    open: new Set(),
  };
  const upgrader = createUpgrader(settings);
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    upgrade(room, upgrader, request, socket, head);
  server.on("upgrade", onUpgrade);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? (address as AddressInfo).port : 0;
  const name = settings.host.includes(":") ? `[${settings.host}]` : settings.host;

  let stopping: Promise<void> | null = null;
  const stop = (code = CLOSE_GOING_AWAY, reason = "the server is going away"): Promise<void> => {
    stopping ??= (async () => {
      server.off("upgrade", onUpgrade);
      const closed = isOwn ? closeServer(server) : Promise.resolve();
      await closeSockets(room, code, reason);
      room.heartbeat.stop();
      if (isOwn) server.closeAllConnections();
      await closed;
    })();
    return stopping;
  };
  void hub.closed.then(() => stop());
  return {
    url: `ws://${name}:${port}${settings.path ?? ""}`,
    host: settings.host,
    port,
    get connections() {
      return room.open.size;
    },
    counters: room.counters,
    stop,
  };
}

function createOwnServer(hub: ServedHub, settings: ServeSettings): HttpServer {
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: REQUEST_CHECK_MS,
    },
    (request, response) => answerRequest(hub, settings, request, response),
  );
  server.maxConnections = settings.maxConnections + MAX_WAITING_SOCKETS;
  server.on("error", (error) => {
    settings.logger.error({ reason: error.message }, "the server failed");
  });
  return server;
}

function createUpgrader(settings: ServeSettings): WebSocketServer {
  const options = {
    noServer: true,
    clientTracking: false,
    maxPayload: settings.maxFrameBytes,
    perMessageDeflate: settings.perMessageDeflate,
    closeTimeout: settings.closeTimeoutMs,
    autoPong: false,
    handleProtocols: agreedSubprotocol,
  };
  return new WebSocketServer(options);
}

function upgrade(
  room: SocketRoom,
  upgrader: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  // The far side may reset the connection at any point from here on.
  socket.on("error", (error) => {
    room.settings.logger.debug({ reason: error.message }, "a socket failed");
    socket.destroy();
  });
  const refusal = checkUpgrade(request, room.settings, room.open.size);
  if (refusal !== null) {
    room.counters.refused += 1;
    const { origin } = request.headers;
    room.settings.logger.info({ ...refusal, origin }, "refused an upgrade");
    refuseUpgrade(socket, refusal);
    return;
  }
  upgrader.handleUpgrade(request, socket, head, (web: WebSocket) => {
    // A server of TCP or TLS hands out nothing else.
    attachSocket(room, web, { request, socket: socket as Socket });
  });
}

function requireSafeHost(hub: ServedHub, { host, allowUnauthenticated }: ServeSettings): void {
  if (isLoopbackHost(host) || !hub.authSchemes.includes("none") || allowUnauthenticated) return;
  const remedy =
    "Serve 127.0.0.1, open the hub without scheme 'none', or set allowUnauthenticated.";
  throw new InvalidInputError(
    `host: '${host}' is reachable from elsewhere and the hub accepts scheme 'none', so anybody could act as anybody. ${remedy}`,
    { field: "host", received: "address beyond this machine", remedy },
  );
}

function listen(server: HttpServer | HttpsServer, { host, port }: ServeSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeServer(server: HttpServer | HttpsServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** Every socket ends, because the close handshake is bounded. */
async function closeSockets(room: SocketRoom, code: number, reason: string): Promise<void> {
  const gone = [...room.open].map(
    (web) =>
      new Promise<void>((resolve) => {
        web.once("close", () => resolve());
        web.close(code, reason);
      }),
  );
  await Promise.all(gone);
}
