import {
  type ClientFrame,
  type FrameCodec,
  type HubFrame,
  type LinkConnection,
  type LinkHandlers,
  TooLargeError,
} from "@colloquy/protocol";
import type { WebSocketLike } from "./web-socket-like.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Input of {@link adoptSocket}. */
export interface Adoption {
  /** Open, with handlers that are free to be set. */
  readonly socket: WebSocketLike;
  readonly codec: FrameCodec;
  readonly handlers: LinkHandlers;
  /** Largest frame that may be sent, in bytes of UTF-8. */
  readonly maxFrameBytes: number;
}

/** Makes a {@link LinkConnection} of an open socket. */
export function adoptSocket({ socket, codec, handlers, maxFrameBytes }: Adoption): LinkConnection {
  let isOpen = true;
  let listens = true;

  socket.onmessage = ({ data }) => {
    if (!listens) return;
    let frame: HubFrame;
    try {
      frame = codec.decodeHubFrame(textOf(data));
    } catch (error) {
      handlers.onBadFrame(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    handlers.onFrame(frame);
  };
  socket.onerror = () => undefined;
  socket.onclose = ({ code, reason }) => {
    isOpen = false;
    listens = false;
    handlers.onClosed({ code, reason });
  };

  return {
    profile: codec.profile,
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send(frame: ClientFrame) {
      if (!isOpen) return;
      const text = codec.encode(frame);
      checkSize(text, maxFrameBytes);
      socket.send(text);
    },
    close(code = 1000, reason = "") {
      if (!isOpen) return;
      isOpen = false;
      listens = false;
      socket.close(closeCodeOf(code), reason);
    },
  };
}

/** Clients may close with 1000 and with codes of applications only. */
function closeCodeOf(code: number): number {
  return code >= 3000 && code <= 4999 ? code : 1000;
}

/** A binary message counts as text. */
function textOf(data: unknown): string {
  if (typeof data === "string") return data;
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return decoder.decode(data);
  throw new TypeError("a message is neither text nor bytes");
}

function checkSize(text: string, maxBytes: number): void {
  // One UTF-16 unit is at most three bytes of UTF-8, so short texts need no count.
  if (text.length * 3 <= maxBytes) return;
  const bytes = encoder.encode(text).byteLength;
  if (bytes <= maxBytes) return;
  throw new TooLargeError(`a frame of ${bytes} bytes exceeds the limit of ${maxBytes} bytes`, {
    details: { bytes, max_bytes: maxBytes },
  });
}
