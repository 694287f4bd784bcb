import {
  AccessDeniedError,
  type Envelope,
  isNetworkError,
  type Logger,
  logFieldsOf,
} from "@colloquy/protocol";
import { gateOf, markGate } from "../core/gate-mark.js";
import type { Arbiter, Denial, Gate, Verdict } from "./arbiter.js";
import { judgeMembership } from "./membership-gate.js";

/**
 * Lets an allowed request pass and raises the error of a refused one.
 *
 * @throws the verdict's own error, or `AccessDeniedError` with its reason
 */
export function decide(verdict: Verdict): void {
  if (!verdict.allow) throw toError(verdict);
}

/** The error that a refusal stands for. */
function toError(refusal: Denial): Error {
  const error = refusal.error?.(refusal.reason) ?? new AccessDeniedError(refusal.reason);
  const gate = gateOf(refusal);
  return gate === undefined ? error : markGate(error, gate);
}

/**
 * Makes an arbiter safe to ask: a gate that throws refuses, and the fault is logged.
 *
 * An error of the network family is kept as the refusal's error; anything else becomes an
 * `AccessDeniedError` that names the gate and not the fault, which belongs into the log.
 *
 * @param arbiter - the arbiter to ask; its gates are called with their own `this`
 * @param logger - where faults are written
 */
export function guardArbiter(arbiter: Arbiter, logger: Logger): Arbiter {
  const ask = <R, V extends Verdict>(
    gate: Gate,
    request: R,
    decideOn: (request: R) => V,
  ): V | Denial => {
    try {
      const verdict = decideOn.call(arbiter, request);
      return verdict.allow ? verdict : markGate(verdict, gate);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      const fields = { gate, ...aboutOf(request), fault };
      logger.error(fields, "a gate of the arbiter failed; the request is refused");
      const refusal: Denial = isNetworkError(error)
        ? { allow: false, reason: error.message, error: () => error }
        : { allow: false, reason: `refused: the arbiter's gate ${gate} failed` };
      return markGate(refusal, gate);
    }
  };
  return {
    authorizeRegister: (request) => ask("authorizeRegister", request, arbiter.authorizeRegister),
    authorizeChannelOpen: (request) =>
      ask("authorizeChannelOpen", request, arbiter.authorizeChannelOpen),
    authorizeSend: (request) => ask("authorizeSend", request, arbiter.authorizeSend),
    authorizeRate: (request) => ask("authorizeRate", request, arbiter.authorizeRate),
    resolveUnknownAudience: (request) =>
      ask("resolveUnknownAudience", request, arbiter.resolveUnknownAudience),
    authorizeInbox: (request) => ask("authorizeInbox", request, arbiter.authorizeInbox),
    authorizeDispatch: (request) => ask("authorizeDispatch", request, arbiter.authorizeDispatch),
    authorizeMembership: (request) =>
      ask("authorizeMembership", request, arbiter.authorizeMembership ?? judgeMembership),
    authorizeTask: (request) => ask("authorizeTask", request, arbiter.authorizeTask),
  };
}

/** The envelope that a gate was asked about, if it was one. */
function aboutOf(request: unknown) {
  const asked = typeof request === "object" && request !== null ? request : {};
  const { envelope } = asked as { readonly envelope?: Envelope };
  return envelope === undefined ? {} : logFieldsOf(envelope);
}
