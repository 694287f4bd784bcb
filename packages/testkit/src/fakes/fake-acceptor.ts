import {
  type ClientFrame,
  type Envelope,
  type ErrorCode,
  type HubFrame,
  isNetworkError,
  type LinkAcceptor,
  type LinkClosed,
  type LinkPeer,
  type RequestFrame,
} from "@colloquy/protocol";

/** The hub's end of one connection in the hands of a test. */
export interface AcceptedConnection {
  readonly endpointId: string;
  readonly peer: LinkPeer;
  /** Every frame that came, oldest first. */
  readonly received: readonly ClientFrame[];
  /** Requests among them. */
  readonly requests: readonly RequestFrame[];
  /** What came and was no frame. */
  readonly bad: readonly Error[];
  /** How the transport ended; null while it is open. */
  readonly closed: LinkClosed | null;
  send(frame: HubFrame): void;
  /** Delivers an envelope; position and attempt are 1 unless given. */
  notify(envelope: Envelope, recipientId: string, facts?: NotifyFacts): void;
  answer(request: RequestFrame, result: unknown): void;
  refuse(request: RequestFrame, code: ErrorCode, message: string): void;
  /** Answers a hello. */
  welcome(): void;
  close(code: number, reason: string): void;
}

/** What a test may say about a delivery. */
export interface NotifyFacts {
  readonly position?: number | undefined;
  readonly attempt?: number | undefined;
}

/** Reacts to a frame; called after it was kept. */
export type FrameScript = (frame: ClientFrame, connection: AcceptedConnection) => void;

/** A hub without a hub: it keeps what it is sent and says what a test tells it to. */
export interface FakeAcceptor extends LinkAcceptor {
  /** Every connection, the oldest first. */
  readonly connections: readonly AcceptedConnection[];
  /** The newest connection. Throws when there is none. */
  readonly latest: AcceptedConnection;
  /** May be replaced at any time. */
  script: FrameScript;
}

/** Makes a {@link FakeAcceptor}. Without a script it answers nothing. */
export function createFakeAcceptor(script: FrameScript = () => undefined): FakeAcceptor {
  const connections: AcceptedConnection[] = [];
  const acceptor: FakeAcceptor = {
    script,
    connections,
    get latest() {
      const latest = connections.at(-1);
      if (latest === undefined) throw new Error("nobody has connected yet");
      return latest;
    },
    accept(peer) {
      const endpointId = `endpoint-${connections.length + 1}`;
      const received: ClientFrame[] = [];
      const bad: Error[] = [];
      let closed: LinkClosed | null = null;
      const connection: AcceptedConnection = {
        ...hubEnd(endpointId, peer),
        received,
        bad,
        get requests() {
          return received.filter((frame) => frame.kind === "request");
        },
        get closed() {
          return closed;
        },
      };
      connections.push(connection);
      return {
        endpointId,
        receive(frame) {
          received.push(frame as ClientFrame);
          acceptor.script(frame as ClientFrame, connection);
        },
        receiveBad: (error) => void bad.push(error),
        closed(how) {
          closed = how;
        },
      };
    },
  };
  return acceptor;
}

function hubEnd(endpointId: string, peer: LinkPeer) {
  return {
    endpointId,
    peer,
    send: (frame: HubFrame) => peer.send(frame),
    notify(
      envelope: Envelope,
      recipient_id: string,
      { position = 1, attempt = 1 }: NotifyFacts = {},
    ) {
      peer.notify({ recipient_id, envelope, text: JSON.stringify(envelope), position, attempt });
    },
    answer({ request_id }: RequestFrame, result: unknown) {
      const fine = { ok: true, result, error_code: "", error_message: "" };
      peer.send({ kind: "response", request_id, ...fine });
    },
    refuse({ request_id }: RequestFrame, error_code: ErrorCode, error_message: string) {
      peer.send({
        kind: "response",
        request_id,
        ok: false,
        result: null,
        error_code,
        error_message,
      });
    },
    welcome() {
      peer.send({
        kind: "welcome",
        endpoint_id: endpointId,
        hub_time: "2026-01-01T00:00:00.000000+00:00",
      });
    },
    close: (code: number, reason: string) => peer.close(code, reason),
  };
}

/** What an operation gives, or throws, for its parameters. */
export type ScriptedOperation = (params: RequestFrame["params"], request: RequestFrame) => unknown;

/**
 * A script that welcomes every hello, answers pings and answers requests by a table. An operation
 * that is not in the table stays without an answer; one that throws is refused with `error`, or
 * with the code of the error.
 */
export function scriptOperations(
  operations: Readonly<Record<string, ScriptedOperation>> = {},
): FrameScript {
  return (frame, connection) => {
    if (frame.kind === "hello") connection.welcome();
    if (frame.kind === "ping") connection.send({ kind: "pong" });
    if (frame.kind !== "request") return;
    const operation = operations[frame.op];
    if (operation === undefined) return;
    try {
      connection.answer(frame, operation(frame.params, frame));
    } catch (error) {
      const code = isNetworkError(error) ? error.code : "error";
      connection.refuse(frame, code, error instanceof Error ? error.message : String(error));
    }
  };
}
