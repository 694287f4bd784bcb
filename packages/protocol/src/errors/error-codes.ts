/**
 * Every code that an error may carry across the wire, with what it means.
 *
 * The first five are AG2's; the others exist only under `colloquy.v1` and are narrowed by
 * {@link toBareCode} for peers that do not know them.
 */
export const ERROR_CODES = {
  not_found: "an agent, channel, envelope, task, adapter or endpoint that does not exist",
  access_denied: "a rule, the arbiter or missing membership refuses it",
  protocol_error: "a channel's contract or state refuses it",
  auth_failed: "the credential or the identity behind the connection is not accepted",
  error: "anything else",
  invalid_input: "a value of the wrong shape; details name the field, its kind and the remedy",
  inbox_full: "a recipient has too much outstanding",
  rate_limited: "the sender's allowance is used up; details give the wait",
  graph_error: "a transition graph that cannot be loaded",
  store_failed: "the store could not make it durable; nothing was changed",
  unavailable: "the hub is draining or out of service; retry later",
  too_large: "a frame or an answer exceeds its limit",
  internal: "a fault inside the hub; nothing was changed",
} as const;

/** A code from {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes that AG2's own clients know. */
export type BareErrorCode =
  | "not_found"
  | "access_denied"
  | "protocol_error"
  | "auth_failed"
  | "error";

const BARE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "not_found",
  "access_denied",
  "protocol_error",
  "auth_failed",
  "error",
]);

/** Narrows a code to those that a peer of the bare AG2 profile understands; the rest become `error`. */
export function toBareCode(code: ErrorCode): BareErrorCode {
  return BARE.has(code) ? (code as BareErrorCode) : "error";
}

/** True for a string that is one of {@link ERROR_CODES}. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}
