import type { Duplex } from "node:stream";
import { type FrameCodec, type LinkPeer, SUBPROTOCOL } from "@colloquy/protocol";
import type { WebSocket } from "ws";
import { createCorkedSender } from "./corked-sender.js";
import { encodeFrame } from "./encode-answer.js";
import type { ServeSettings } from "./options.js";
import type { TickFlush } from "./tick-flush.js";

/** Bytes of a close frame's reason at most. */
const MAX_REASON_BYTES = 123;

/** What a peer is made of. */
export interface PeerParts {
  readonly web: WebSocket;
  readonly socket: Duplex;
  /** See `LinkPeer.loopback`. */
  readonly loopback: boolean;
  readonly label: string;
  readonly codec: FrameCodec;
  readonly settings: ServeSettings;
  readonly flush: TickFlush;
}

/** Makes the hub's view of the far side of a WebSocket. */
export function createWebSocketPeer(parts: PeerParts): LinkPeer {
  const { web, socket, loopback, label, codec, settings, flush } = parts;
  const { maxAnswerBytes, heartbeatMs, maxFrameBytes, logger } = settings;
  const encoding = { codec, maxAnswerBytes, logger };
  const sender = createCorkedSender(web, socket, flush);
  return {
    profile: codec.profile,
    loopback,
    label,
    ...(heartbeatMs > 0 ? { heartbeatMs } : {}),
    maxFrameBytes,
    get bufferedBytes() {
      return web.bufferedAmount;
    },
    send(frame) {
      if (web.readyState !== web.OPEN) return;
      const text = encodeFrame(frame, encoding);
      if (text !== null) sender.write(text);
    },
    notify({ text, recipient_id, position, attempt }) {
      sender.write(codec.encodeNotify(text, recipient_id, position, attempt));
    },
    close: (code, reason) => web.close(code, shorten(reason)),
    cork: sender.cork,
    uncork: sender.uncork,
  };
}

/** True if the peer asked for Colloquy's own profile. */
export function agreedSubprotocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false;
}

function shorten(reason: string): string {
  let text = reason;
  while (Buffer.byteLength(text) > MAX_REASON_BYTES) text = text.slice(0, -1);
  return text;
}
