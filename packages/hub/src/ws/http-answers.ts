import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Hub } from "../hub.js";
import { pathOf, type UpgradeRefusal } from "./check-upgrade.js";
import { answerHealthPath, type CheckedHub } from "./health-answers.js";
import { answerOperator } from "./operator-page.js";
import type { ServeSettings } from "./options.js";

/** Refuses an upgrade on the bare socket, which is closed with it. */
export function refuseUpgrade(socket: Duplex, { status, text }: UpgradeRefusal): void {
  const body = `${text}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/**
 * Answers plain requests: `GET /healthz` and `GET /health` with figures and no secrets, `GET /metrics` to operators if
 * there is such a page, the WebSocket's path with 426.
 */
export function answerRequest(
  hub: CheckedHub & Partial<Pick<Hub, "operators">>,
  settings: ServeSettings,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = pathOf(request);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const { metricsPage } = settings;
  const { operators } = hub;
  if (path === "/healthz" && isRead) {
    answerHealth(hub, response);
  } else if (isRead && answerHealthPath(hub, path, response)) {
    return;
  } else if (path === "/metrics" && isRead && metricsPage !== null && operators !== undefined) {
    void answerOperator(metricsPage, { operators }, settings, { request, response });
  } else if (path === (settings.path ?? "/")) {
    const headers = { Upgrade: "websocket", "Content-Type": "text/plain; charset=utf-8" };
    response.writeHead(426, headers).end("this address speaks WebSocket\n");
  } else {
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("not found\n");
  }
}

function answerHealth(hub: Pick<Hub, "health">, response: ServerResponse): void {
  const { status, active_channels, registered_agents, connections } = hub.health();
  const body = JSON.stringify({ status, active_channels, registered_agents, connections });
  const code = status === "ok" || status === "degraded" ? 200 : 503;
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  response.writeHead(code, headers).end(`${body}\n`);
}
