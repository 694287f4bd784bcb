import type { IncomingMessage } from "node:http";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\]|::ffff:127(\.\d{1,3}){3})$/i;
/** Headers by which a proxy says that the far side is somebody else. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-real-ip"] as const;

/** True for the names and addresses of this very machine. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/** True if a request comes from this machine, and not through a proxy on it. */
export function isFromLoopback(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress ?? "";
  return isLoopbackHost(address) && !FORWARDING.some((name) => name in request.headers);
}
