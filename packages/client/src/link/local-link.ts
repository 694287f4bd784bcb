import {
  type ClientFrame,
  colloquyCodec,
  type HubConnection,
  type HubFrame,
  type Link,
  type LinkAcceptor,
  type LinkClosed,
  type LinkConnection,
  type LinkHandlers,
  type LinkPeer,
  SUBPROTOCOL,
} from "@colloquy/protocol";
import { frozenEnvelope } from "./frozen-envelope.js";
import { createTaskQueue } from "./task-queue.js";

/**
 * A link to a hub in this process.
 *
 * Frames pass as JSON does: checked like on the wire, copied when they are sent, handed over later
 * and in order. Neither side can change an object of the other's. Envelopes arrive frozen, because
 * all recipients in the process share one copy.
 *
 * @param acceptor - the hub
 */
export function createLocalLink(acceptor: LinkAcceptor): Link {
  return {
    remote: false,
    async connect(handlers, signal) {
      signal.throwIfAborted();
      return openPair(acceptor, handlers);
    },
  };
}

function openPair(acceptor: LinkAcceptor, handlers: LinkHandlers): LinkConnection {
  const toHub = createTaskQueue();
  const toClient = createTaskQueue();
  let clientListens = true;
  let hubListens = true;

  const hear = (text: string): void => {
    toClient.push(() => {
      if (clientListens) hearText(handlers, text);
    });
  };
  const tellClient = (closed: LinkClosed): void => {
    toClient.push(() => {
      if (!clientListens) return;
      clientListens = false;
      handlers.onClosed(closed);
    });
  };
  const tellHub = (closed: LinkClosed): void => {
    toHub.push(() => {
      if (!hubListens) return;
      hubListens = false;
      hubEnd.closed(closed);
    });
  };

  let hubOpen = true;
  const peer: LinkPeer = {
    profile: SUBPROTOCOL,
    loopback: true,
    label: "local",
    bufferedBytes: 0,
    send(frame) {
      if (!hubOpen) return;
      hear(colloquyCodec.encode(frame));
    },
    notify({ recipient_id, envelope, text, position, attempt }) {
      if (!hubOpen) return;
      const copy = frozenEnvelope(envelope, text);
      toClient.push(() => {
        if (!clientListens) return;
        handlers.onFrame({ kind: "notify", envelope: copy, recipient_id, position, attempt });
      });
    },
    close(code, reason) {
      if (!hubOpen) return;
      hubOpen = false;
      clientOpen = false;
      tellClient({ code, reason });
      tellHub({ code, reason });
    },
    cork: () => undefined,
    uncork: () => undefined,
  };

  let clientOpen = true;
  const connection: LinkConnection = {
    profile: SUBPROTOCOL,
    bufferedBytes: 0,
    send(frame) {
      if (!clientOpen) return;
      const text = colloquyCodec.encode(frame);
      toHub.push(() => {
        if (hubListens) receive(hubEnd, text);
      });
    },
    close(code = 1000, reason = "") {
      if (!clientOpen) return;
      hubOpen = false;
      clientOpen = false;
      tellHub({ code, reason });
      muteThenTell(code, reason);
    },
  };
  const muteThenTell = (code: number, reason: string): void => {
    if (!clientListens) return;
    clientListens = false;
    toClient.push(() => handlers.onClosed({ code, reason }));
  };

  const hubEnd = acceptor.accept(peer);
  return connection;
}

/** Hands a text to the client as the wire would. */
function hearText(handlers: LinkHandlers, text: string): void {
  let frame: HubFrame;
  try {
    frame = colloquyCodec.decodeHubFrame(text);
  } catch (error) {
    handlers.onBadFrame(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  handlers.onFrame(frame);
}

/** Hands a text to the hub as the wire would: what is no frame is reported, never thrown. */
function receive(hubEnd: HubConnection, text: string): void {
  let frame: ClientFrame;
  try {
    frame = colloquyCodec.decodeClientFrame(text);
  } catch (error) {
    hubEnd.receiveBad(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  hubEnd.receive(frame, true);
}
