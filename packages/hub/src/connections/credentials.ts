import { AuthError, formatTimestamp } from "@colloquy/protocol";
import type { Credential } from "../auth/auth-registry.js";
import { CLOSE_CODES } from "../core/close-codes.js";
import type { HeldCredential } from "./held-credential.js";
import { refreshPresence } from "./presence.js";
import { agentsOf, type ConnectionWork, isBoundTo, type Session } from "./session.js";

/** Stands for the operator of a connection where otherwise an agent's id stands. */
export const OPERATOR = "operator";

/**
 * Keeps what an agent, or {@link OPERATOR}, of a connection has proven itself with, in place of what
 * it had. When that ends, so does the binding; before it ends by time, the peer is asked to renew it.
 *
 * @param held - null for a scheme whose claims have no end
 */
export function keepCredential(
  work: ConnectionWork,
  session: Session,
  holder: string,
  held: HeldCredential | null,
): void {
  forget(work, session, holder);
  const { id, expiresAt } = held?.credential ?? { id: null, expiresAt: null };
  if (held === null || (id === null && expiresAt === null)) return;
  session.credentials ??= new Map();
  session.credentials.set(holder, held);
  arm(work, session, holder, held);
}

/**
 * Requires that a credential still counts; while something was made durable it may have ended.
 *
 * @throws AuthError
 */
export function requireCurrent(work: ConnectionWork, held: HeldCredential | null): void {
  const end = held === null ? null : endOf(work, held);
  if (end !== null) throw new AuthError(`the credential ${END_WORDS[end]}`);
}

/** ISO time at which a credential ends; null for never. */
export function endTimeOf(credential: Credential | null): string | null {
  const expiresAt = credential?.expiresAt ?? null;
  return expiresAt === null ? null : formatTimestamp(expiresAt);
}

/** A connection is over: nothing of it ends any more. */
export function dropCredentials(work: ConnectionWork, session: Session): void {
  for (const holder of [...(session.credentials?.keys() ?? [])]) forget(work, session, holder);
}

/** Looks anew at every binding that a credential has made, because its state has changed. */
export function reviewCredential(work: ConnectionWork, scheme: string, id: string): void {
  for (const session of [...work.sessions.values()]) {
    for (const [holder, held] of [...(session.credentials ?? [])]) {
      if (held.scheme === scheme && held.credential.id === id) review(work, session, holder, held);
    }
  }
}

type End = "revoked" | "expired";

const END_WORDS: Readonly<Record<End, string>> = {
  revoked: "has been revoked",
  expired: "has expired",
};

function stateOf(work: ConnectionWork, { scheme, credential }: HeldCredential) {
  const { id, expiresAt } = credential;
  const known = id === null ? null : work.context.auth.get(scheme).stateOf?.(id);
  return known ?? { revoked: false, expiresAt };
}

/** How a credential has ended; null while it counts. */
function endOf(work: ConnectionWork, held: HeldCredential): End | null {
  const { revoked, expiresAt } = stateOf(work, held);
  if (revoked) return "revoked";
  return expiresAt !== null && expiresAt <= work.context.clock.now() ? "expired" : null;
}

function review(
  work: ConnectionWork,
  session: Session,
  holder: string,
  held: HeldCredential,
): void {
  if (session.credentials?.get(holder) !== held) return;
  if (holder !== OPERATOR && !isBoundTo(work, session, holder)) {
    forget(work, session, holder);
    return;
  }
  const end = endOf(work, held);
  if (end === null) arm(work, session, holder, held);
  else unbind(work, session, holder, END_WORDS[end]);
}

/** Asks for a renewal some time before the end, and looks again at the end. */
function arm(work: ConnectionWork, session: Session, holder: string, held: HeldCredential): void {
  const { clock, deadlines, limits } = work.context;
  const { expiresAt } = stateOf(work, held);
  const key = deadlineKey(session, holder);
  if (expiresAt === null) {
    deadlines.clear(key);
    return;
  }
  const now = clock.now();
  const noticeAt = Math.max(expiresAt - limits.credentialNoticeMs, (now + expiresAt) / 2);
  deadlines.set(key, noticeAt, () => {
    askToRenew(work, session, holder, expiresAt);
    deadlines.set(key, expiresAt, () => review(work, session, holder, held));
  });
}

function askToRenew(
  work: ConnectionWork,
  session: Session,
  holder: string,
  expiresAt: number,
): void {
  const isAgent = holder !== OPERATOR;
  if (session.peer.profile === "ag2" || (isAgent && !isBoundTo(work, session, holder))) return;
  session.peer.send({
    kind: "hint",
    hint: "renew",
    retry_after_ms: Math.max(0, Math.ceil(expiresAt - work.context.clock.now())),
    ...(isAgent ? { agent_id: holder } : {}),
    message: "the credential is about to expire; give a fresh one",
  });
}

function unbind(work: ConnectionWork, session: Session, holder: string, how: string): void {
  forget(work, session, holder);
  const isAgent = holder !== OPERATOR;
  if (isAgent) work.context.delivery.unbind(holder);
  else session.principal = null;
  work.context.logger.info(
    { peer: session.peer.label, endpoint_id: session.endpointId, holder },
    `unbound: the credential ${how}`,
  );
  if (session.principal === null && agentsOf(work, session).length === 0) {
    session.closing = true;
    session.peer.close(CLOSE_CODES.credentialEnded, `the credential ${how}`);
    return;
  }
  if (session.peer.profile === "ag2") return;
  session.peer.send({
    kind: "hint",
    hint: "unbound",
    ...(isAgent ? { agent_id: holder } : {}),
    message: `the credential ${how}`,
  });
  refreshPresence(work, session);
}

function forget(work: ConnectionWork, session: Session, holder: string): void {
  if (session.credentials?.delete(holder) !== true) return;
  work.context.deadlines.clear(deadlineKey(session, holder));
}

function deadlineKey({ endpointId }: Session, holder: string): string {
  return `credential ${endpointId} ${holder}`;
}
