import type { NotifyFrame } from "@colloquy/protocol";
import { MAX_RECEIPTS } from "@colloquy/protocol";
import type { WebSocket } from "ws";

/** Acknowledges what one connection was notified of, all of one turn of the loop in one frame. */
export interface Receipts {
  add(notify: NotifyFrame): void;
  /** Sends what waits for the end of the turn. */
  flush(): void;
}

/** Makes the receipts of one socket. */
export function createReceipts(socket: WebSocket): Receipts {
  let items: object[] = [];
  const flush = (): void => {
    const due = items;
    items = [];
    for (let at = 0; at < due.length; at += MAX_RECEIPTS) {
      const frame = { kind: "receipts", items: due.slice(at, at + MAX_RECEIPTS) };
      socket.send(JSON.stringify(frame));
    }
  };
  return {
    flush,
    add({ envelope, recipient_id }) {
      if (items.length === 0) setImmediate(flush);
      items.push({
        envelope_id: envelope.envelope_id,
        status: "ack",
        recipient_id,
        channel_id: envelope.channel_id,
      });
    },
  };
}
