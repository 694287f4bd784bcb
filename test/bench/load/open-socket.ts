import { once } from "node:events";
import { WebSocket } from "ws";

/** Opens a plain socket; rejects when the server cannot be reached. */
export async function openSocket(
  url: string,
  subprotocols: readonly string[] = [],
): Promise<WebSocket> {
  const socket = new WebSocket(url, [...subprotocols], { perMessageDeflate: false });
  await once(socket, "open");
  return socket;
}
