import type { IncomingMessage } from "node:http";
import { SUBPROTOCOL } from "@colloquy/protocol";
import { isLoopbackHost } from "./loopback.js";
import type { ServeSettings } from "./options.js";

/** Why an upgrade is refused, as an HTTP status with a short text. */
export interface UpgradeRefusal {
  readonly status: number;
  readonly text: string;
}

/** Path of a request, without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/";
}

/**
 * Judges a request to upgrade before anything is upgraded.
 *
 * @param open - sockets that are open now
 * @returns null to go on
 */
export function checkUpgrade(
  request: IncomingMessage,
  settings: ServeSettings,
  open: number,
): UpgradeRefusal | null {
  if (settings.path !== null && pathOf(request) !== settings.path) {
    return { status: 404, text: "no WebSocket here" };
  }
  if (!isOriginAllowed(request, settings)) return { status: 403, text: "origin not allowed" };
  if (!isSubprotocolKnown(request)) {
    return { status: 400, text: `unknown subprotocol; ask for ${SUBPROTOCOL} or for none` };
  }
  if (open >= settings.maxConnections) return { status: 503, text: "too many connections" };
  return null;
}

function isOriginAllowed(request: IncomingMessage, settings: ServeSettings): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (settings.allowedOrigins !== null) return settings.allowedOrigins.has(origin);
  return isOwnPage(origin, host ?? "", settings.host);
}

/**
 * A page of this very server. Its name must be a loopback name or the address that is listened on:
 * a name of somebody else's that resolves to this machine would equal the `Host` as well.
 */
function isOwnPage(origin: string, host: string, listenHost: string): boolean {
  const page = URL.canParse(origin) ? new URL(origin) : null;
  if (page === null || page.host !== host.toLowerCase()) return false;
  return isLoopbackHost(page.hostname) || page.hostname === listenHost;
}

function isSubprotocolKnown({ headers }: IncomingMessage): boolean {
  const offered = headers["sec-websocket-protocol"];
  if (offered === undefined) return true;
  return offered.split(",").some((name) => name.trim() === SUBPROTOCOL);
}
