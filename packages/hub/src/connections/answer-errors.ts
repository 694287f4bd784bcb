import {
  type ErrorCode,
  type ErrorDetails,
  isNetworkError,
  type LinkPeer,
  type NetworkError,
  toBareCode,
} from "@colloquy/protocol";
import { refusalIdOf } from "../observe/refusal-id.js";
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

/** Longest message of an error that leaves, in characters. */
const MAX_MESSAGE = 4_000;
/** Longest JSON of its details; the members of the largest channel fit. Longer ones are left out. */
const MAX_DETAILS = 524_288;

/** What a peer may know of a store's fault; the rest names files and drivers of this machine. */
const SHOWN_STORE_FACTS = ["retryable", "outcome", "refusal_id"] as const;

/**
 * What is no error of the family is a fault of the hub: it is logged, and its text stays here. So
 * does what a store or its driver says, as against the hub's own words about a channel.
 */
function describe(work: ConnectionWork, peer: LinkPeer, error: unknown): Outgoing {
  if (!isNetworkError(error)) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const fields = { peer: peer.label, refusal_id: refusalIdOf(error), fault };
    work.context.logger.error(fields, "a request hit a fault of the hub");
  }
  const outgoing = isNetworkError(error)
    ? shown(work, peer, error)
    : ({
        code: "internal",
        message: "internal error; nothing was changed",
        details: refusalOf(error),
      } as const);
  const short = shorten(outgoing, error);
  return peer.profile === "ag2" ? { ...short, code: toBareCode(short.code) } : short;
}

/** An error may repeat what it is about, so that it would be as large as what came in, or larger. */
function shorten(outgoing: Outgoing, error: unknown): Outgoing {
  const { message, details } = outgoing;
  const isLong = message.length > MAX_MESSAGE;
  return {
    ...outgoing,
    message: isLong ? `${message.slice(0, MAX_MESSAGE)}… (cut)` : message,
    details:
      details !== null && JSON.stringify(details).length > MAX_DETAILS ? refusalOf(error) : details,
  };
}

/** What every refused side may know: under which id the operator finds why. */
function refusalOf(error: unknown): ErrorDetails | null {
  const refusal_id = refusalIdOf(error);
  return refusal_id === undefined ? null : { refusal_id };
}

function shown(work: ConnectionWork, peer: LinkPeer, error: NetworkError): Outgoing {
  const { code, message, details } = error;
  const isForeign = details?.["path"] !== undefined || error.cause !== undefined;
  if (code !== "store_failed" || !isForeign) return { code, message, details };
  work.context.logger.error(
    { peer: peer.label, refusal_id: details?.["refusal_id"], fault: message },
    "a request hit a fault of the store",
  );
  const facts = SHOWN_STORE_FACTS.flatMap((key) =>
    details?.[key] === undefined ? [] : [[key, details[key]] as const],
  );
  return {
    code,
    message: "the store has failed; retry later, or ask whoever runs the hub",
    details: facts.length === 0 ? null : Object.fromEntries(facts),
  };
}
