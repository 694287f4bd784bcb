import {
  AuthError,
  effectiveKind,
  formatTimestamp,
  type HelloFrame,
  NotFoundError,
  type Passport,
  type WelcomeFrame,
} from "@colloquy/protocol";
import { checkClaim } from "../auth/check-claim.js";
import { quote } from "../core/quote.js";
import { targetOf } from "../observe/refused-facts.js";
import type { AgentEntry } from "../registry/agent-table.js";
import { sendError } from "./answer-errors.js";
import { bindAgent, requireRoomForAgent } from "./bind-agent.js";
import { keepCredential, requireCurrent } from "./credentials.js";
import type { HeldCredential } from "./held-credential.js";
import { refuse } from "./refuse.js";
import { type ConnectionWork, isBoundTo, type Session } from "./session.js";

/** Scheme that proves nothing. */
const SCHEME_NONE = "none";

/**
 * Binds a registered agent: the name, then its scheme, then its claim are checked; after the
 * welcome follows what is outstanding, if the hello asks for it. An error leaves the connection
 * usable and changes nothing.
 */
export async function receiveHello(
  work: ConnectionWork,
  session: Session,
  hello: HelloFrame,
): Promise<void> {
  try {
    const { agent, held } = await authenticate(work, session, hello);
    if (session.ended) return;
    if (work.context.agents.get(agent.id) === undefined) throw unknownName(hello.name);
    requireCurrent(work, held);
    bindAgent(work, session, agent.id);
    keepCredential(work, session, agent.id, held);
    session.peer.send(welcome(work, session, agent));
    if (hello.since_envelope_id !== null) replay(work, agent.id, hello.since_envelope_id);
  } catch (error) {
    const name = targetOf(hello.name);
    const refused = refuse(work, session, error, { what: "authentication", op: "hello", name });
    if (!session.ended) sendError(work, session, refused);
  }
}

async function authenticate(
  work: ConnectionWork,
  session: Session,
  hello: HelloFrame,
): Promise<{ readonly agent: AgentEntry; readonly held: HeldCredential | null }> {
  const { agents, auth } = work.context;
  const agentId = agents.idOf(hello.name);
  const agent = agentId === null ? undefined : agents.get(agentId);
  if (agent === undefined) throw unknownName(hello.name);
  auth.get(hello.auth_scheme);
  requireScheme(session, agent, hello.auth_scheme);
  if (!isBoundTo(work, session, agent.id)) requireRoomForAgent(work, session);
  return { agent, held: await validateClaim(work, session, agent.passport, hello.auth_claim) };
}

/**
 * Checks a claim for a registered agent by the scheme of its passport, within the deadline of a hello.
 *
 * @returns what was proven; null for a scheme whose claims have no end
 * @throws AuthError
 */
export async function validateClaim(
  work: ConnectionWork,
  session: Session,
  passport: Passport,
  claim: Readonly<Record<string, unknown>>,
): Promise<HeldCredential | null> {
  const { scheme } = passport.auth;
  const checking = checkClaim(work.context, passport, scheme, claim);
  const credential = await withinDeadline(work, session, checking);
  return credential === null ? null : { scheme, credential };
}

function requireScheme(session: Session, { passport }: AgentEntry, scheme: string): void {
  const registered = passport.auth.scheme;
  if (scheme !== registered) {
    throw new AuthError(
      `auth scheme ${quote(scheme)} does not match ${quote(passport.name)}'s registered scheme '${registered}'`,
    );
  }
  if (effectiveKind(passport) === "remote_agent") {
    throw new AuthError(`${quote(passport.name)} lives elsewhere; it cannot be bound here`);
  }
  requireProof(session, scheme);
}

/** The scheme that proves nothing is good enough for a peer on this machine only. */
export function requireProof(session: Session, scheme: string): void {
  if (scheme !== SCHEME_NONE || session.peer.loopback) return;
  throw new AuthError(
    "auth scheme 'none' is accepted from this machine only; register with another scheme",
  );
}

function unknownName(name: string): NotFoundError {
  return new NotFoundError(`unknown name: ${quote(name)}`);
}

/** An authenticator may ask elsewhere; one that never answers must not hold the connection. */
function withinDeadline<T>(
  { context }: ConnectionWork,
  session: Session,
  validation: Promise<T>,
): Promise<T> {
  const { clock, deadlines, limits } = context;
  session.claims += 1;
  const key = `hello-claim ${session.endpointId} ${session.claims}`;
  return new Promise((resolve, reject) => {
    deadlines.set(key, clock.now() + limits.helloDeadlineMs, () => {
      reject(new AuthError("the claim could not be checked in time; retry later"));
    });
    validation.then(resolve, reject).finally(() => deadlines.clear(key));
  });
}

function welcome(work: ConnectionWork, session: Session, agent: AgentEntry): WelcomeFrame {
  const { heartbeatMs, maxFrameBytes } = session.peer;
  return {
    kind: "welcome",
    endpoint_id: session.endpointId,
    hub_time: formatTimestamp(work.context.clock.now()),
    agent_id: agent.id,
    name: agent.passport.name,
    ...(heartbeatMs === undefined ? {} : { heartbeat_ms: heartbeatMs }),
    ...(maxFrameBytes === undefined ? {} : { max_frame_bytes: maxFrameBytes }),
  };
}

function replay({ context }: ConnectionWork, agentId: string, since: string): void {
  context.delivery.replay(agentId, since).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.error({ agent_id: agentId, reason }, "a replay failed");
  });
}
