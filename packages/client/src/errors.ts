/** Every code of an error that arises on the client's side, with what it means. */
export const CLIENT_ERROR_CODES = {
  "client/closed": "the hub client was closed",
  "client/disconnected": "the participant no longer takes part through this client",
  "client/connection_lost":
    "the connection broke before the hub answered; whether the request was carried out is unknown",
  "client/timed_out": "nothing came within the time allowed",
  "client/unreachable": "the hub could not be reached, and reconnecting is switched off",
  "client/aborted": "the caller's signal ended it",
  "client/bad_answer": "the hub's answer has not the agreed shape",
  "client/unsupported": "the hub speaks a profile that does not have it",
  "client/task_cancelled": "the task was cancelled, by its owner or at a peer's request",
  "client/channel_ended": "the channel ended before what was waited for came",
  "client/model_failed": "the model gave no usable answer, also when it was asked again",
  "client/too_many_rounds": "the model asked for tools in every round that a turn may have",
  "client/too_many_tool_calls":
    "a turn called tools more often, or with more failures, than it may",
  "client/recording_differs": "a replayed model was asked what was not recorded",
} as const;

/** A code from {@link CLIENT_ERROR_CODES}. */
export type ClientErrorCode = keyof typeof CLIENT_ERROR_CODES;

/** Options of {@link ClientError}. */
export interface ClientErrorOptions extends ErrorOptions {
  /** Plain facts for programs, such as the draft that was not sent. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Something went wrong on this side of the link. What the hub refuses arrives as the errors of
 * `@colloquy/protocol` instead; wrong arguments are `TypeError`s.
 */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  /** Facts for programs; null when the message says all. */
  readonly details: Readonly<Record<string, unknown>> | null;

  constructor(code: ClientErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? null;
  }
}

/** True for a {@link ClientError}, also one from another copy of this package. */
export function isClientError(error: unknown): error is ClientError {
  return (
    error instanceof Error &&
    Object.hasOwn(CLIENT_ERROR_CODES, String((error as { code?: unknown }).code))
  );
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
