import {
  type ClientFrame,
  type Clock,
  type DeltaFrame,
  type ErrorFrame,
  errorFromWire,
  type HelloFrame,
  type HintFrame,
  type HubFrame,
  type Link,
  type LinkClosed,
  type LinkConnection,
  type Logger,
  type NotifyFrame,
  type ReceiptItem,
  type ResponseFrame,
  type WelcomeFrame,
  type WireProfile,
} from "@colloquy/protocol";
import { ClientError } from "../errors.js";
import { createHandshakes } from "./handshakes.js";
import { createHeartbeat } from "./heartbeat.js";
import { createReceiptBatch } from "./receipt-batch.js";

/** What a session passes on. */
export interface SessionHandlers {
  onNotify(frame: NotifyFrame): void;
  onDelta(frame: DeltaFrame): void;
  onHint(frame: HintFrame): void;
  onResponse(frame: ResponseFrame): void;
  /** An error about one request. */
  onRequestError(requestId: string, error: Error): void;
}

/** One connection to a hub, from its dial to its end. */
export interface Session {
  readonly profile: WireProfile;
  /** The hub's name for the connection; empty before the first welcome. */
  readonly endpointId: string;
  /** False once it has ended. Frames sent then go nowhere. */
  readonly isUp: boolean;
  readonly bufferedBytes: number;
  /** Resolves when it has ended. */
  readonly closed: Promise<LinkClosed>;
  send(frame: ClientFrame): void;
  /** Binds a participant. Rejects with the hub's refusal, or `client/connection_lost`. */
  hello(frame: HelloFrame): Promise<WelcomeFrame>;
  receipt(item: ReceiptItem): void;
  /** Ends it now, without waiting for the far side. */
  end(code: number, reason: string): void;
}

/** Input of {@link openSession}. */
export interface SessionOptions {
  readonly link: Link;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Interval of pings on a remote `colloquy.v1` connection, in milliseconds; 0 for none. */
  readonly heartbeatMs: number;
  readonly handlers: SessionHandlers;
}

/** Dials and resolves with a session. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { link, clock, logger, handlers } = options;
  let connection: LinkConnection | null = null;
  let isUp = true;
  let endpointId = "";
  let resolveClosed: (closed: LinkClosed) => void = () => undefined;
  const closed = new Promise<LinkClosed>((resolve) => {
    resolveClosed = resolve;
  });

  const finish = (how: LinkClosed): void => {
    if (!isUp) return;
    isUp = false;
    heartbeat.stop();
    const why = how.reason === "" ? String(how.code) : `${how.code}, ${how.reason}`;
    handshakes.end(new ClientError("client/connection_lost", `the connection broke (${why})`));
    resolveClosed(how);
  };
  const end = (code: number, reason: string): void => {
    if (!isUp) return;
    receipts.flush();
    finish({ code, reason });
    connection?.close(code, reason);
  };
  const send = (frame: ClientFrame): void => {
    if (!isUp || connection === null) return;
    heartbeat.sent();
    connection.send(frame);
  };
  const handshakes = createHandshakes(send);
  const heartbeat = createHeartbeat({
    clock,
    intervalMs: 0,
    ping: () => send({ kind: "ping" }),
    onSilent: () => end(1000, "the hub is silent"),
  });

  const welcome = (frame: WelcomeFrame): void => {
    endpointId = frame.endpoint_id;
    const asked = frame.heartbeat_ms ?? 0;
    if (asked > 0 && beatMs > 0) heartbeat.setInterval(Math.min(asked, beatMs));
    handshakes.welcome(frame);
  };
  const fail = (frame: ErrorFrame): void => {
    const error = errorFromWire(frame.code, frame.message, frame.details);
    const requestId = frame.request_id ?? null;
    if (requestId !== null) handlers.onRequestError(requestId, error);
    else if (!handshakes.refuse(error)) {
      logger.warn({ code: frame.code, error: frame.message }, "the hub reports an error");
    }
  };
  const onFrame = (frame: HubFrame): void => {
    if (!isUp) return;
    heartbeat.heard();
    switch (frame.kind) {
      case "notify":
        handlers.onNotify(frame);
        break;
      case "response":
        handlers.onResponse(frame);
        break;
      case "delta":
        handlers.onDelta(frame);
        break;
      case "hint":
        handlers.onHint(frame);
        break;
      case "welcome":
        welcome(frame);
        break;
      case "error":
        fail(frame);
        break;
      case "ping":
        send({ kind: "pong" });
        break;
      case "pong":
        break;
    }
  };

  const opened = await link.connect(
    {
      onFrame,
      onBadFrame: (error) => logger.warn({ error: error.message }, "message is no frame"),
      onClosed: finish,
    },
    options.signal,
  );
  connection = opened;
  const { profile } = opened;
  const beatMs = link.remote && profile !== "ag2" ? options.heartbeatMs : 0;
  if (isUp) heartbeat.setInterval(beatMs);
  const receipts = createReceiptBatch(profile, send);
  if (options.signal.aborted) end(1000, "closed by the client");

  return {
    profile,
    closed,
    get endpointId() {
      return endpointId;
    },
    get isUp() {
      return isUp;
    },
    get bufferedBytes() {
      return opened.bufferedBytes;
    },
    send,
    hello: (frame) => handshakes.hello(frame),
    receipt: (item) => receipts.add(item),
    end,
  };
}
