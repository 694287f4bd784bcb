import { redactText } from "@colloquy/protocol";
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  TypeValidationError,
} from "ai";
import { ClientError, messageOf } from "../errors.js";

/** Longest part of a provider's own words that goes into an error. */
const MAX_QUOTED = 500;
/** How deep causes are looked into. */
const MAX_CAUSES = 8;

/** Errors of sockets after which the same request may succeed. */
const CONNECTION_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** Thrown inside where an answer ended before it was whole. */
export class BrokenAnswerError extends Error {
  override readonly name = "BrokenAnswerError";
}

/** What is known of a failed call of a model. */
export interface ModelFailure {
  /** HTTP status; null where there was none. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The same call may succeed when it is made again. */
  readonly passing: boolean;
}

/** Reads what a failed call says of itself. */
export function readFailure(error: unknown): ModelFailure {
  const causes = causesOf(error);
  const call = causes.find((cause) => APICallError.isInstance(cause));
  const status = call?.statusCode ?? null;
  const answered = status !== null && status >= 400;
  const broken = causes.some(isBroken);
  return {
    status,
    headers: call?.responseHeaders ?? {},
    passing: answered ? status === 429 || status >= 500 : broken || isUnreached(call),
  };
}

/** The error of a turn whose model gave no usable answer; its message and details hold no key. */
export function modelFailed(error: unknown, model: string, attempts: number): ClientError {
  const { status } = readFailure(error);
  const said = providersWords(error);
  const times = attempts === 1 ? "" : ` after ${attempts} attempts`;
  const why = status === null ? "" : ` with status ${status}`;
  return new ClientError("client/model_failed", `model ${model} failed${times}${why}: ${said}`, {
    cause: error,
    details: { model, attempts, status },
  });
}

/** What a failed call says of itself, without keys and short enough for a log line. */
export function providersWords(error: unknown): string {
  return redactText(messageOf(error)).slice(0, MAX_QUOTED);
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let next = error;
  while (next !== undefined && next !== null && causes.length < MAX_CAUSES) {
    causes.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return causes;
}

function isBroken(error: unknown): boolean {
  if (error instanceof BrokenAnswerError || isGarbled(error)) return true;
  if (!(error instanceof Error)) return false;
  if (CONNECTION_CODES.has(String((error as { code?: unknown }).code))) return true;
  // What `fetch` throws in Node and in browsers when there is no connection or it has gone.
  return error instanceof TypeError && /terminated|fetch|network|load failed/i.test(error.message);
}

/** An answer, or a piece of one, that is not what was agreed: empty, cut short, or no JSON. */
function isGarbled(error: unknown): boolean {
  return (
    InvalidResponseDataError.isInstance(error) ||
    JSONParseError.isInstance(error) ||
    NoOutputGeneratedError.isInstance(error) ||
    TypeValidationError.isInstance(error)
  );
}

function isUnreached(call: APICallError | undefined): boolean {
  return call !== undefined && call.statusCode === undefined && call.isRetryable;
}
