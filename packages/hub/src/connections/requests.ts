import {
  allOperations,
  isBareOperationName,
  isOperationName,
  type OperationName,
  ProtocolError,
  parseWith,
  type RequestFrame,
  TooLargeError,
  UnavailableError,
} from "@colloquy/protocol";
import { overloaded } from "../core/overloaded.js";
import { quote } from "../core/quote.js";
import { respondError } from "./answer-errors.js";
import type { Operation, RawParams } from "./operations/operation.js";
import { operationTable } from "./operations/table.js";
import { checkTaskIds } from "./operations/task-id-params.js";
import { refreshPresence } from "./presence.js";
import { refuseRequest } from "./refuse.js";
import type { ConnectionWork, Session } from "./session.js";
import { closeIfSlow } from "./slow-reader.js";
import { release, reserve } from "./unanswered.js";

/** Bytes of a response beside its result, generously. */
const RESPONSE_OVERHEAD = 1_024;
/** UTF-8 bytes of one UTF-16 unit at most. */
const MAX_BYTES_PER_UNIT = 3;
/** Bulky operations of a hub that run at once; each may hold as much as one answer has. */
export const BULKY_AT_ONCE = 8;

/**
 * Runs a request and answers it. Requests of one connection run side by side; an operation that
 * needs no waiting is under way when this returns, so that posts are admitted as they came.
 */
export function receiveRequest(
  work: ConnectionWork,
  session: Session,
  frame: RequestFrame,
  bytes: number,
): void {
  const { request_id, op, params } = frame;
  const isOpen = (): boolean => !session.ended && !session.closing && !closeIfSlow(work, session);
  const fail = (error: unknown): void => {
    if (isOpen())
      respondError(work, session, request_id, refuseRequest(work, session, frame, error));
  };
  try {
    takeRoom(work, session, bytes);
  } catch (error) {
    fail(error);
    return;
  }
  const settle = (): void => {
    session.requestsInFlight -= 1;
    release(work, session, bytes);
  };
  const answered = perform(work, session, op, params).then(
    (result) => {
      settle();
      if (isOpen()) succeed(work, session, frame, result);
    },
    (error: unknown) => {
      settle();
      fail(error);
    },
  );
  answered.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    work.context.logger.error({ op, peer: session.peer.label, reason }, "an answer was not sent");
  });
}

function takeRoom(work: ConnectionWork, session: Session, bytes: number): void {
  if (session.requestsInFlight >= work.context.limits.maxRequestsInFlight) {
    throw overloaded(`${session.requestsInFlight} requests are under way; wait for some`);
  }
  reserve(work, session, bytes);
  session.requestsInFlight += 1;
}

/** The promise rejects for everything that goes wrong; up to the first wait it runs at once. */
async function perform(
  work: ConnectionWork,
  session: Session,
  op: string,
  params: RawParams,
): Promise<unknown> {
  if (!isKnown(session, op)) throw new ProtocolError(`unknown control-plane op: ${quote(op)}`);
  const operation = operationTable[op] as Operation<OperationName>;
  const caller = { work, session, op };
  checkTaskIds(params);
  const gate = operation.authorize?.(caller, params);
  if (gate !== undefined) await gate;
  const parsed = parseWith(allOperations[op].params, params, `operation "${op}"`);
  if (operation.bulky !== true || operation.changes === true) return operation.run(caller, parsed);
  return work.bulk.run(session, async () => {
    // Nobody would hear the answer.
    if (session.ended || session.closing) throw new UnavailableError("the connection has closed");
    return operation.run(caller, parsed);
  });
}

function isKnown(session: Session, op: string): op is OperationName {
  return session.peer.profile === "ag2" ? isBareOperationName(op) : isOperationName(op);
}

function succeed(
  work: ConnectionWork,
  session: Session,
  { request_id, op, params }: RequestFrame,
  result: unknown,
): void {
  try {
    if (session.peer.profile === "ag2") requireBareSize(work, op, result);
    session.peer.send({
      kind: "response",
      request_id,
      ok: true,
      result: result ?? null,
      error_code: "",
      error_message: "",
    });
  } catch (error) {
    respondError(work, session, request_id, refuseRequest(work, session, { op, params }, error));
  }
  if (work.unbound.has(session)) refreshPresence(work, session);
}

/** A bare client's socket dies of a larger message, so it gets an error in its place. */
function requireBareSize(work: ConnectionWork, op: string, result: unknown): void {
  const { bulky } = operationTable[op as OperationName] as Operation<OperationName>;
  if (bulky !== true) return;
  const text = JSON.stringify(result) ?? "null";
  const room = work.context.limits.maxBareAnswerBytes - RESPONSE_OVERHEAD;
  if (text.length * MAX_BYTES_PER_UNIT <= room) return;
  const bytes = Buffer.byteLength(text);
  if (bytes <= room) return;
  throw new TooLargeError(
    `the answer has ${bytes} bytes and a message may have ${room}; ask for less, such as a range of the WAL or a smaller limit`,
    { details: { bytes, max_bytes: room } },
  );
}
