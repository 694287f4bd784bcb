import type { Hub } from "@colloquy/hub";
import {
  type Delivery,
  type HubConnection,
  type HubFrame,
  type LinkPeer,
  MAX_RECEIPTS,
  type ReceiptItem,
  SUBPROTOCOL,
} from "@colloquy/protocol";
import type { Registered } from "./register.js";

/** Participants in the hub's own process who acknowledge whatever they are notified of. */
export interface LocalMembers {
  /** Resolves when at least so many envelopes have been notified and acknowledged since the start. */
  waitFor(notified: number): Promise<void>;
  leave(): void;
}

/** Agents that one connection may bind, by default. */
const MAX_BOUND = 1_000;

/** Binds agents over connections without a socket. */
export async function bindLocally(hub: Hub, agents: readonly Registered[]): Promise<LocalMembers> {
  let acknowledged = 0;
  let waiting: { readonly from: number; resolve(): void }[] = [];
  const onAcknowledged = (count: number): void => {
    acknowledged += count;
    waiting = waiting.filter(({ from, resolve }) => {
      if (from > acknowledged) return true;
      resolve();
      return false;
    });
  };
  const connections: LocalConnection[] = [];
  for (let at = 0; at < agents.length; at += MAX_BOUND) {
    const connection = connect(hub, onAcknowledged);
    connections.push(connection);
    for (const { name } of agents.slice(at, at + MAX_BOUND)) await connection.bind(name);
  }
  return {
    waitFor(from) {
      if (from <= acknowledged) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ from, resolve }));
    },
    leave() {
      for (const { leave } of connections) leave();
    },
  };
}

interface LocalConnection {
  bind(name: string): Promise<void>;
  leave(): void;
}

function connect(hub: Hub, onAcknowledged: (count: number) => void): LocalConnection {
  let items: ReceiptItem[] = [];
  let onFrame = (_frame: HubFrame): void => undefined;
  const acknowledge = (): void => {
    const due = items;
    items = [];
    for (let at = 0; at < due.length; at += MAX_RECEIPTS) {
      connection.receive({ kind: "receipts", items: due.slice(at, at + MAX_RECEIPTS) });
    }
    onAcknowledged(due.length);
  };
  const peer: LinkPeer = {
    profile: SUBPROTOCOL,
    loopback: true,
    label: "local",
    bufferedBytes: 0,
    send: (frame) => onFrame(frame),
    notify(delivery) {
      if (items.length === 0) setImmediate(acknowledge);
      items.push(receiptOf(delivery));
    },
    close: () => undefined,
    cork: () => undefined,
    uncork: () => undefined,
  };
  const connection: HubConnection = hub.accept(peer);
  return {
    bind: (name) =>
      new Promise((resolve, reject) => {
        onFrame = (frame) => {
          if (frame.kind === "welcome") resolve();
          if (frame.kind === "error") reject(new Error(`${name}: ${frame.message}`));
        };
        connection.receive({ kind: "hello", name, since_envelope_id: "" });
      }),
    leave: () => connection.closed({ code: 1000, reason: "" }),
  };
}

function receiptOf({ envelope, recipient_id }: Delivery): ReceiptItem {
  const { envelope_id, channel_id } = envelope;
  return { envelope_id, channel_id, recipient_id, status: "ack", reason: "" };
}
