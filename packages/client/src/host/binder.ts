import { type Clock, type ErrorCode, isNetworkError, type Logger } from "@colloquy/protocol";
import { type ReconnectPolicy, reconnectDelayMs } from "../connection/reconnect-policy.js";
import type { Session } from "../connection/session.js";
import { isClientError, messageOf } from "../errors.js";
import type { HostedParticipant } from "../participant/hosted-participant.js";
import { type CredentialSupplier, createClaimSource, offerClaims } from "./credentials.js";

/** Refusals that trying again does not mend. */
const PERMANENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "auth_failed",
  "not_found",
  "access_denied",
  "protocol_error",
]);

/** Binds participants to sessions. */
export interface Binder {
  /** Binds one, for the first time. Rejects with the hub's refusal. */
  bind(session: Session, participant: HostedParticipant): Promise<void>;
  /**
   * Binds all to a new session. Resolves when each has been tried once; those that met a passing
   * failure are tried again behind it, with growing waits. One that is refused for good is stopped.
   */
  bindAll(session: Session, participants: readonly HostedParticipant[]): Promise<void>;
}

/** Input of {@link createBinder}. */
export interface BinderOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly policy: ReconnectPolicy;
  readonly credentials: CredentialSupplier | undefined;
}

/** Makes a {@link Binder}. */
export function createBinder(options: BinderOptions): Binder {
  const { clock, logger, random, policy, credentials } = options;
  /** Offers claims until one is accepted; rejects with the refusal of the last one. */
  const offer = (session: Session, { name, auth }: HostedParticipant): Promise<unknown> =>
    offerClaims(createClaimSource(name, auth, credentials), (claim) =>
      session.hello({
        kind: "hello",
        name,
        auth_scheme: auth.scheme,
        auth_claim: { ...claim },
        since_envelope_id: "",
      }),
    );

  const rebind = async (
    session: Session,
    participant: HostedParticipant,
    onTried: () => void,
  ): Promise<void> => {
    for (let attempt = 0; session.isUp && participant.isActive; attempt += 1) {
      let askedWaitMs = 0;
      try {
        await offer(session, participant);
        return;
      } catch (error) {
        if (isClientError(error)) return;
        if (isNetworkError(error) && PERMANENT.has(error.code)) {
          logger.error(
            { participant: participant.name, code: error.code, error: error.message },
            "the hub refuses the participant for good",
          );
          participant.stop("refused", error);
          return;
        }
        askedWaitMs = waitAskedBy(error);
        logger.warn({ participant: participant.name, error: messageOf(error) }, "binding failed");
      } finally {
        onTried();
      }
      const waitMs = askedWaitMs + reconnectDelayMs(policy, attempt, random());
      await pauseWhileUp(clock, waitMs, session);
    }
  };

  return {
    async bind(session, participant) {
      await offer(session, participant);
    },
    async bindAll(session, participants) {
      const tried = participants.map(
        (participant) =>
          new Promise<void>((resolve) => {
            rebind(session, participant, resolve).then(resolve, resolve);
          }),
      );
      await Promise.all(tried);
    },
  };
}

/** Waits, or returns as soon as the session has ended. */
async function pauseWhileUp(clock: Clock, delayMs: number, session: Session): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = clock.setTimer(delayMs, resolve);
    void session.closed.then(() => {
      timer.cancel();
      resolve();
    });
  });
}

/** The wait that a refusal asks for, in milliseconds; 0 for none. */
function waitAskedBy(error: unknown): number {
  const wait = isNetworkError(error) ? error.details?.["retry_after_ms"] : undefined;
  return typeof wait === "number" ? wait : 0;
}
