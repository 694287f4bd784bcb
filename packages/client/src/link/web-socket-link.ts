import {
  type Clock,
  codecFor,
  createSystemClock,
  type Link,
  type LinkConnection,
  type LinkHandlers,
  SUBPROTOCOL,
  type WireProfile,
} from "@colloquy/protocol";
import { adoptSocket } from "./adopt-socket.js";
import { DialError, dialSocket } from "./dial-socket.js";
import type { WebSocketConstructor } from "./web-socket-like.js";

/** Largest frame that is sent unless told otherwise, in bytes of UTF-8: what hubs take by default. */
const DEFAULT_MAX_FRAME_BYTES = 1_048_576;
/** How long one dial may take unless told otherwise, in milliseconds. */
const DEFAULT_OPEN_TIMEOUT_MS = 10_000;

/** Options of {@link createWebSocketLink}. */
export interface WebSocketLinkOptions {
  /** `ws:` or `wss:` address of the hub. */
  readonly url: string;
  /** Constructor of sockets; default `globalThis.WebSocket`. Node 20 has none: see the subpath `node`. */
  readonly webSocket?: WebSocketConstructor | undefined;
  /**
   * What to speak. `colloquy.v1` (default) falls back to the bare profile when the server selects
   * no subprotocol; `ag2` asks for none.
   */
  readonly profile?: WireProfile | undefined;
  /** Milliseconds for one dial; default 10,000. */
  readonly openTimeoutMs?: number | undefined;
  /**
   * Largest frame that is sent, in bytes of UTF-8; a larger one is refused here with `TooLargeError`
   * instead of costing the connection. Default: 1 MiB, as hubs have it.
   */
  readonly maxFrameBytes?: number | undefined;
  /** Time for the dial; default the machine's. */
  readonly clock?: Clock | undefined;
}

/**
 * A link to a hub behind a WebSocket address.
 *
 * A server that selects no subprotocol makes many WebSocket implementations fail the handshake; then
 * the link dials a second time without one. Once a hub has spoken `colloquy.v1` the link asks for
 * nothing else, so that a hub that is down for a moment is not taken for a bare one.
 *
 * @throws TypeError when the address is no `ws:` or `wss:` URL, or no constructor is at hand
 */
export function createWebSocketLink(options: WebSocketLinkOptions): Link {
  const url = checkUrl(options.url);
  const webSocket = options.webSocket ?? globalWebSocket();
  const clock = options.clock ?? createSystemClock();
  const timeoutMs = options.openTimeoutMs ?? DEFAULT_OPEN_TIMEOUT_MS;
  let hasSpokenColloquy = false;

  const dial = async (
    subprotocol: string | null,
    handlers: LinkHandlers,
    signal: AbortSignal,
  ): Promise<LinkConnection> => {
    const socket = await dialSocket({ webSocket, url, subprotocol, clock, timeoutMs, signal });
    const codec = codecFor(socket.protocol);
    const maxFrameBytes = options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES;
    return adoptSocket({ socket, codec, handlers, maxFrameBytes });
  };

  return {
    remote: true,
    async connect(handlers, signal) {
      signal.throwIfAborted();
      if (options.profile === "ag2") return dial(null, handlers, signal);
      try {
        const connection = await dial(SUBPROTOCOL, handlers, signal);
        hasSpokenColloquy ||= connection.profile === SUBPROTOCOL;
        return connection;
      } catch (error) {
        const mayBeBare = error instanceof DialError && error.mayBeSubprotocol;
        if (hasSpokenColloquy || !mayBeBare || signal.aborted) throw error;
        return dial(null, handlers, signal);
      }
    },
  };
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "ws:" || url?.protocol === "wss:") return text;
  throw new TypeError("url must be a ws: or wss: address, for example ws://127.0.0.1:7420");
}

function globalWebSocket(): WebSocketConstructor {
  const found: unknown = Reflect.get(globalThis, "WebSocket");
  if (typeof found === "function") return found as WebSocketConstructor;
  throw new TypeError(
    "this runtime has no WebSocket; pass webSocket, or use createNodeLink of @colloquy/client/node",
  );
}
