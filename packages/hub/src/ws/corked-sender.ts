import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { TickFlush } from "./tick-flush.js";

/** Writes text messages of one socket, so that all of one turn of the event loop leave in one write. */
export interface CorkedSender {
  write(text: string): void;
  /** Holds everything back until `uncork`; calls nest. */
  cork(): void;
  uncork(): void;
}

/** Makes the sender of one socket. After the socket has closed, writing does nothing. */
export function createCorkedSender(web: WebSocket, socket: Duplex, flush: TickFlush): CorkedSender {
  let depth = 0;
  let corked = false;
  let scheduled = false;
  const release = (): void => {
    scheduled = false;
    if (!corked || depth > 0) return;
    corked = false;
    socket.uncork();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    flush.add(release);
  };
  const hold = (): void => {
    if (corked) return;
    corked = true;
    socket.cork();
  };
  return {
    write(text) {
      if (web.readyState !== web.OPEN) return;
      hold();
      if (depth === 0) schedule();
      web.send(text);
    },
    cork() {
      depth += 1;
      hold();
    },
    uncork() {
      if (depth === 0) return;
      depth -= 1;
      if (depth === 0) schedule();
    },
  };
}
