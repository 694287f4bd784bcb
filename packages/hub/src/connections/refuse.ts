import { isNetworkError } from "@colloquy/protocol";
import { markGate } from "../core/gate-mark.js";
import type { RefusalFacts } from "../observe/refusal.js";
import { refusalIdOf } from "../observe/refusal-id.js";
import { envelopeFacts, openFacts, registrationFacts, targetOf } from "../observe/refused-facts.js";
import { agentsOf, type ConnectionWork, type Session } from "./session.js";

/** Agents of a connection that a record names. */
const MAX_AGENTS = 16;

/** What the operator may know of a refusal beyond its message. */
interface Target {
  readonly gate: string;
  /** Whom or what it reached for. */
  readonly target: string;
  readonly reason: string;
}

const targets = new WeakMap<Error, Target>();

/** Ties an error to what was reached for; gives it back. */
export function noteTarget<E extends Error>(error: E, target: Target): E {
  targets.set(error, target);
  return markGate(error, target.gate);
}

/** Records what a connection was refused, under whoever is behind it. Returns the error to answer with. */
export function refuse(
  work: ConnectionWork,
  session: Session,
  error: unknown,
  facts: RefusalFacts,
): Error {
  const { endpointId, peer } = session;
  const agents = agentsOf(work, session).slice(0, MAX_AGENTS);
  const from = { endpoint_id: endpointId, peer: peer.label, agents };
  const aim = error instanceof Error ? targets.get(error) : undefined;
  const at = aim === undefined ? {} : { target: targetOf(aim.target) };
  return work.context.refusals.refuse(error, { ...facts, ...from, ...at }, aim?.reason);
}

/**
 * Records a request that was refused. One that the hub has recorded already is not recorded twice;
 * that something asked for does not exist is an answer, unless it is kept from who asks.
 */
export function refuseRequest(
  work: ConnectionWork,
  session: Session,
  { op, params }: { readonly op: string; readonly params: Readonly<Record<string, unknown>> },
  error: unknown,
): unknown {
  if (refusalIdOf(error) !== undefined) return error;
  const isAbsence = isNetworkError(error) && error.code === "not_found" && !targets.has(error);
  if (isAbsence) return error;
  return refuse(work, session, error, { ...requestFacts(work, session, op, params), op: cut(op) });
}

function requestFacts(
  work: ConnectionWork,
  session: Session,
  op: string,
  params: Readonly<Record<string, unknown>>,
): RefusalFacts {
  const { agent_id, ...facts } = factsOf(op, params);
  if (agent_id === undefined || !agentsOf(work, session).includes(agent_id)) return facts;
  return { ...facts, agent_id };
}

function factsOf(op: string, params: Readonly<Record<string, unknown>>): RefusalFacts {
  if (op === "post" || op === "post_envelope") return envelopeFacts(params["envelope"]);
  if (op === "create_channel") return openFacts(params);
  if (op === "register") return registrationFacts(params);
  const { channel_id, agent_id } = params;
  return {
    what: "operation",
    ...(typeof channel_id === "string" ? { channel_id: cut(channel_id) } : {}),
    ...(typeof agent_id === "string" ? { agent_id: cut(agent_id) } : {}),
  };
}

function cut(text: string): string {
  return text.slice(0, 256);
}
