import {
  type ErrorCode,
  type ErrorDetails,
  isNetworkError,
  type LinkPeer,
  toBareCode,
} from "@colloquy/protocol";
import type { ConnectionWork, Session } from "./session.js";

/** An error as it leaves: a code that the peer knows, a message without secrets, and facts. */
interface Outgoing {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails | null;
}

/**
 * Answers with an error frame, for what is wrong outside of a request.
 *
 * @param about - envelope that it is about, if there is one
 */
export function sendError(
  work: ConnectionWork,
  session: Session,
  error: unknown,
  about: string | null = null,
): void {
  const { code, message, details } = describe(work, session.peer, error);
  const requestId = details?.["request_id"];
  const request_id = typeof requestId === "string" ? requestId : null;
  session.peer.send({ kind: "error", code, message, envelope_id: about, details, request_id });
}

/** Answers a request with the error that ended it. */
export function respondError(
  work: ConnectionWork,
  session: Session,
  requestId: string,
  error: unknown,
): void {
  const { code, message, details } = describe(work, session.peer, error);
  session.peer.send({
    kind: "response",
    request_id: requestId,
    ok: false,
    result: null,
    error_code: code,
    error_message: message,
    error_details: details,
  });
}

/** What is no error of the family is a fault of the hub: it is logged, and its text stays here. */
function describe(work: ConnectionWork, peer: LinkPeer, error: unknown): Outgoing {
  if (!isNetworkError(error)) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    work.context.logger.error({ peer: peer.label, fault }, "a request hit a fault of the hub");
  }
  const outgoing: Outgoing = isNetworkError(error)
    ? { code: error.code, message: error.message, details: error.details }
    : { code: "internal", message: "internal error; nothing was changed", details: null };
  return peer.profile === "ag2" ? { ...outgoing, code: toBareCode(outgoing.code) } : outgoing;
}
