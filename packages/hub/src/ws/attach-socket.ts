import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { codecFor, type LinkAcceptor } from "@colloquy/protocol";
import type { WebSocket } from "ws";
import { CLOSE_CODES } from "../core/close-codes.js";
import type { ServeCounters } from "./counters.js";
import type { Heartbeat } from "./heartbeat.js";
import { isFromLoopback } from "./loopback.js";
import type { ServeSettings } from "./options.js";
import { readText, receiveText } from "./read-message.js";
import type { TickFlush } from "./tick-flush.js";
import { createWebSocketPeer } from "./web-socket-peer.js";

const CLOSE_INVALID_TEXT = 1007;
/** How often the bound of an answer may wait unread before even pings are too much. */
const PING_BACKLOG = 2;
const OVERSIZED = "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";

/** What all sockets of a server share. */
export interface SocketRoom {
  readonly hub: LinkAcceptor;
  readonly settings: ServeSettings;
  readonly counters: ServeCounters;
  readonly heartbeat: Heartbeat;
  readonly flush: TickFlush;
  readonly open: Set<WebSocket>;
}

/** The request behind a socket; not kept, so that an open connection does not hold its headers. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
}

/** Connects an upgraded socket to the hub, for as long as it lives. */
export function attachSocket(room: SocketRoom, web: WebSocket, { request, socket }: Upgrade): void {
  const { hub, settings, counters, heartbeat, flush, open } = room;
  const codec = codecFor(web.protocol);
  const loopback = settings.allowUnauthenticated || isFromLoopback(request);
  const label = `${socket.remoteAddress ?? "unknown"}:${socket.remotePort ?? 0}`;
  const peer = createWebSocketPeer({ web, socket, loopback, label, codec, settings, flush });
  const fields = { peer: peer.label };
  web.on("error", (error) => {
    if (Reflect.get(error, "code") === OVERSIZED) counters.oversized += 1;
    else counters.violations += 1;
    settings.logger.info({ ...fields, reason: error.message }, "a socket broke the protocol");
  });
  open.add(web);
  counters.accepted += 1;
  const connection = hub.accept(peer);
  const beating = {
    get bytesRead() {
      return socket.bytesRead;
    },
    ping() {
      if (web.readyState === web.OPEN) web.ping();
    },
    cut() {
      counters.silent += 1;
      settings.logger.info(fields, "cut a socket from which nothing came");
      web.terminate();
    },
  };
  heartbeat.add(beating);
  web.on("message", (data, isBinary) => {
    if (web.readyState !== web.OPEN || !Buffer.isBuffer(data)) return;
    const text = readText(data, isBinary);
    if (text === null) web.close(CLOSE_INVALID_TEXT, "not UTF-8");
    else receiveText(connection, codec, text);
  });
  web.on("ping", (data) => {
    if (web.readyState !== web.OPEN) return;
    const tooFull = web.bufferedAmount > settings.maxAnswerBytes * PING_BACKLOG;
    if (tooFull) web.close(CLOSE_CODES.slowReader, "slow reader");
    else web.pong(data);
  });
  web.on("close", (code, reason) => {
    open.delete(web);
    heartbeat.remove(beating);
    connection.closed({ code, reason: reason.toString() });
  });
}
