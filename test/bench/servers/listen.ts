import { once } from "node:events";
import { type WebSocket, WebSocketServer } from "ws";

/** A WebSocket server on a free port of this machine. */
export interface Listening {
  readonly url: string;
  /** The sockets that are open, in the order in which they came. */
  readonly sockets: ReadonlySet<WebSocket>;
}

/**
 * Listens with plain `ws`, without compression: the yardstick beside the hub.
 *
 * @param onMessage - called with each message of each socket
 */
export async function listen(
  onMessage: (socket: WebSocket, data: Buffer) => void,
): Promise<Listening> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  const sockets = new Set<WebSocket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("message", (data: Buffer) => onMessage(socket, data));
    socket.on("close", () => sockets.delete(socket));
  });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `ws://127.0.0.1:${address.port}`, sockets };
}
