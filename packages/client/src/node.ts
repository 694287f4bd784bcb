/** Links for Node, over sockets of `ws`. Everything else is in the root entry. */
import type { Link } from "@colloquy/protocol";
import { WebSocket } from "ws";
import type { WebSocketConstructor } from "./link/web-socket-like.js";
import { createWebSocketLink, type WebSocketLinkOptions } from "./link/web-socket-link.js";

/** Options of {@link createNodeLink}: those of a WebSocket link, and what only `ws` can do. */
export interface NodeLinkOptions extends Omit<WebSocketLinkOptions, "url" | "webSocket"> {
  /** Request headers of the handshake, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Largest message that is received, in bytes; default 64 MiB. A larger one ends the connection with 1009. */
  readonly maxReceivedBytes?: number | undefined;
}

const DEFAULT_MAX_RECEIVED_BYTES = 64 * 1_048_576;

/**
 * A link to a hub behind a WebSocket address, for Node.
 *
 * @param url - `ws:` or `wss:` address of the hub
 * @throws TypeError when the address is no such URL
 */
export function createNodeLink(url: string, options: NodeLinkOptions = {}): Link {
  const { headers, maxReceivedBytes = DEFAULT_MAX_RECEIVED_BYTES, ...rest } = options;
  class Socket extends WebSocket {
    constructor(address: string, protocols?: string | string[]) {
      super(address, protocols ?? [], {
        headers,
        maxPayload: maxReceivedBytes,
        perMessageDeflate: false,
      });
    }
  }
  return createWebSocketLink({
    ...rest,
    url,
    webSocket: Socket as unknown as WebSocketConstructor,
  });
}
