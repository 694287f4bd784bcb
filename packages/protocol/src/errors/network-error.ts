import type { ErrorCode } from "./error-codes.js";

/** Facts beside the message: plain JSON that helps a program to react (field, wait, candidates). */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** Options of every error of the family. */
export interface NetworkErrorOptions extends ErrorOptions {
  /** Plain JSON facts that travel with the error under `colloquy.v1`. */
  readonly details?: ErrorDetails | undefined;
}

/**
 * Root of the errors that may cross the wire.
 *
 * `code` is the contract; the subclasses exist so that a caller can catch by kind, and each pins
 * its code. Use {@link isNetworkError} rather than `instanceof` where copies of this package may mix.
 */
export class NetworkError extends Error {
  override readonly name: string = "NetworkError";
  /** What went wrong, as a stable code. */
  readonly code: ErrorCode;
  /** Facts for programs; null when the message says all. */
  readonly details: ErrorDetails | null;

  constructor(message: string, code: ErrorCode = "error", options: NetworkErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? null;
  }
}

/** Something that was named does not exist. */
export class NotFoundError extends NetworkError {
  override readonly name = "NotFoundError";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "not_found", options);
  }
}

/** A rule, the arbiter or missing membership refuses the request. */
export class AccessDeniedError extends NetworkError {
  override readonly name = "AccessDeniedError";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "access_denied", options);
  }
}

/** The credential, or the identity behind the connection, is not accepted. */
export class AuthError extends NetworkError {
  override readonly name = "AuthError";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "auth_failed", options);
  }
}

/** A channel's contract or state refuses the request. */
export class ProtocolError extends NetworkError {
  override readonly name = "ProtocolError";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "protocol_error", options);
  }
}

/** What was wrong with a value, where, and how to mend it. */
export interface InvalidInput extends NetworkErrorOptions {
  /** Path of the field, e.g. `envelope.event_data.text`; empty for the whole value. */
  readonly field: string;
  /** Kind of the value that was received, never the value itself. */
  readonly received: string;
  /** One sentence that says what to send instead. */
  readonly remedy: string;
}

/** A value of the wrong shape. The message names the field, the received kind and the remedy. */
export class InvalidInputError extends NetworkError {
  override readonly name = "InvalidInputError";
  constructor(message: string, input: InvalidInput) {
    super(message, "invalid_input", {
      cause: input.cause,
      details: {
        ...input.details,
        field: input.field,
        received: input.received,
        remedy: input.remedy,
      },
    });
  }
}

/** A recipient has too much outstanding. */
export class InboxFullError extends NetworkError {
  override readonly name = "InboxFull";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "inbox_full", options);
  }
}

/** The sender's allowance is used up; `details.retry_after_ms` gives the wait too. */
export class RateLimitedError extends NetworkError {
  override readonly name = "RateLimited";
  /** Milliseconds to wait; 0 when the refusal did not say. */
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number, options: NetworkErrorOptions = {}) {
    const details = { ...options.details, retry_after_ms: retryAfterMs };
    super(message, "rate_limited", { ...options, details });
    this.retryAfterMs = retryAfterMs;
  }
}

/** A transition graph that cannot be loaded or saved. */
export class WorkflowGraphError extends NetworkError {
  override readonly name = "WorkflowGraphError";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "graph_error", options);
  }
}

/** The store could not make something durable, or could not read it. */
export class StoreError extends NetworkError {
  override readonly name = "StoreError";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "store_failed", options);
  }
}

/** The hub is draining or out of service; `details.retry_after_ms` may give a wait. */
export class UnavailableError extends NetworkError {
  override readonly name = "UnavailableError";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "unavailable", options);
  }
}

/** A frame or an answer exceeds its limit. */
export class TooLargeError extends NetworkError {
  override readonly name = "TooLargeError";
  constructor(message: string, options?: NetworkErrorOptions) {
    super(message, "too_large", options);
  }
}
