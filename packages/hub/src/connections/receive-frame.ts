import {
  type ClientFrame,
  clientFrameSchemas,
  describeKind,
  InvalidInputError,
  isNumberFault,
  ProtocolError,
  parseWith,
} from "@colloquy/protocol";
import { respondError, sendError } from "./answer-errors.js";
import { type FrameHandler, frameHandlers } from "./frame-handlers.js";
import { refuse } from "./refuse.js";
import type { ConnectionWork, HeldFrame, Session } from "./session.js";
import { closeIfSlow } from "./slow-reader.js";
import { tellHeldBack } from "./tell-replaced.js";
import { release, reserve } from "./unanswered.js";

/** Frames that may wait while a claim is being checked. */
const MAX_HELD = 1_024;

/**
 * Takes one frame. While a hello is being checked, what follows it waits, so that a client may send
 * on without waiting for its welcome. Never throws.
 */
export function receiveFrame(work: ConnectionWork, session: Session, next: HeldFrame): void {
  if (session.ended || session.closing || closeIfSlow(work, session)) return;
  if (session.handshakes > 0) {
    hold(work, session, next);
    return;
  }
  try {
    dispatch(work, session, next);
  } catch (error) {
    fail(work, session, next, error);
  }
}

function hold(work: ConnectionWork, session: Session, next: HeldFrame): void {
  try {
    if (session.held.length >= MAX_HELD) throw new ProtocolError("too many frames during a hello");
    reserve(work, session, next.bytes);
    session.held.push(next);
  } catch (error) {
    fail(work, session, next, error);
  }
}

function fail(work: ConnectionWork, session: Session, { frame }: HeldFrame, error: unknown): void {
  const kind: unknown = typeof frame === "object" && frame !== null && Reflect.get(frame, "kind");
  const op = typeof kind === "string" ? kind : "frame";
  sendError(work, session, refuse(work, session, error, { what: "frame", op }));
}

/** Answers a message that is no frame; the connection goes on. */
export function receiveBadFrame(work: ConnectionWork, session: Session, error: Error): void {
  if (session.ended || session.closing || closeIfSlow(work, session)) return;
  refuseFrame(work, session, error);
}

/**
 * Answered in the words of the profile, and recorded under whoever is behind the connection. AG2's own
 * hub takes any number that Python writes, so a request of an AG2 client that is refused for one gets
 * its response: the client would wait for it in vain.
 */
function refuseFrame(work: ConnectionWork, session: Session, error: Error): void {
  const refused = refuse(work, session, error, { what: "frame", op: "frame" });
  const requestId = isNumberFault(error) ? error.details?.["request_id"] : undefined;
  if (session.peer.profile !== "ag2") sendError(work, session, refused);
  else if (typeof requestId === "string") respondError(work, session, requestId, refused);
  else sendError(work, session, new ProtocolError(`malformed frame: ${error.message}`));
}

function dispatch(work: ConnectionWork, session: Session, next: HeldFrame): void {
  const frame = next.checked ? (next.frame as ClientFrame) : readFrame(work, session, next.frame);
  if (frame === null) return;
  const handler = frameHandlers[frame.kind] as FrameHandler<ClientFrame["kind"]>;
  const waiting = handler(work, session, frame, next.bytes);
  if (waiting === undefined) return;
  session.handshakes += 1;
  void waiting.finally(() => {
    session.handshakes -= 1;
    if (session.handshakes === 0 && session.replaced !== null) tellHeldBack(work, session);
    const { held } = session;
    session.held = [];
    for (const heldFrame of held) {
      release(work, session, heldFrame.bytes);
      receiveFrame(work, session, heldFrame);
    }
  });
}

/** Links of this process hand over objects that no codec has seen. Null when it was refused. */
function readFrame(work: ConnectionWork, session: Session, frame: unknown): ClientFrame | null {
  try {
    return parseFrame(frame);
  } catch (error) {
    refuseFrame(work, session, error instanceof Error ? error : new Error(String(error)));
    return null;
  }
}

function parseFrame(frame: unknown): ClientFrame {
  const isRecord = typeof frame === "object" && frame !== null;
  const kind: unknown = isRecord ? Reflect.get(frame, "kind") : undefined;
  if (typeof kind === "string" && Object.hasOwn(clientFrameSchemas, kind)) {
    return parseWith(clientFrameSchemas[kind as ClientFrame["kind"]], frame, `frame "${kind}"`);
  }
  const remedy = `Send one of ${Object.keys(clientFrameSchemas).join(", ")}.`;
  const input = { field: "kind", received: describeKind(kind), remedy };
  throw new InvalidInputError(`frame, field kind: names no frame. ${remedy}`, input);
}
