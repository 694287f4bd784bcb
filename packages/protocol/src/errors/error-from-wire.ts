import { type ErrorCode, isErrorCode } from "./error-codes.js";
import {
  AccessDeniedError,
  AuthError,
  type ErrorDetails,
  InboxFullError,
  InvalidInputError,
  NetworkError,
  NotFoundError,
  ProtocolError,
  RateLimitedError,
  StoreError,
  TooLargeError,
  UnavailableError,
  WorkflowGraphError,
} from "./network-error.js";

type Build = (message: string, details: ErrorDetails | undefined) => NetworkError;

const BUILD: { readonly [C in ErrorCode]: Build } = {
  not_found: (message, details) => new NotFoundError(message, { details }),
  access_denied: (message, details) => new AccessDeniedError(message, { details }),
  protocol_error: (message, details) => new ProtocolError(message, { details }),
  auth_failed: (message, details) => new AuthError(message, { details }),
  error: (message, details) => new NetworkError(message, "error", { details }),
  invalid_input: (message, details) =>
    new InvalidInputError(message, {
      field: text(details?.["field"]),
      received: text(details?.["received"]),
      remedy: text(details?.["remedy"]),
      details,
    }),
  inbox_full: (message, details) => new InboxFullError(message, { details }),
  rate_limited: (message, details) => {
    const wait = details?.["retry_after_ms"];
    return new RateLimitedError(message, typeof wait === "number" ? wait : 0, { details });
  },
  graph_error: (message, details) => new WorkflowGraphError(message, { details }),
  store_failed: (message, details) => new StoreError(message, { details }),
  unavailable: (message, details) => new UnavailableError(message, { details }),
  too_large: (message, details) => new TooLargeError(message, { details }),
  internal: (message, details) => new NetworkError(message, "internal", { details }),
};

/** Rebuilds the error that a peer sent; a code that is not known here becomes a plain {@link NetworkError}. */
export function errorFromWire(
  code: string,
  message: string,
  details?: ErrorDetails | null,
): NetworkError {
  return BUILD[isErrorCode(code) ? code : "error"](message, details ?? undefined);
}

/** True for an error of this family, also one from another copy of this package. */
export function isNetworkError(error: unknown): error is NetworkError {
  return (
    error instanceof Error && isErrorCode((error as { code?: unknown }).code) && "details" in error
  );
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
