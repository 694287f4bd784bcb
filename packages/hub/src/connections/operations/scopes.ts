import {
  AccessDeniedError,
  AuthError,
  type ChannelMetadata,
  NotFoundError,
  type Principal,
} from "@colloquy/protocol";
import { type OperatorAccess, requireOperatorRole } from "../../auth/operator-gate.js";
import { markGate } from "../../core/gate-mark.js";
import { quote } from "../../core/quote.js";
import { noteTarget } from "../refuse.js";
import { agentsOf, isBoundTo } from "../session.js";
import type { Caller } from "./operation.js";

/** Requires that the connection speaks for anybody. Throws `AuthError`. */
export function requireAnyAgent({ work, session }: Caller): void {
  if (agentsOf(work, session).length > 0) return;
  throw new AuthError("this connection has no bound agent; send a hello or register first");
}

/**
 * Requires that an agent is bound to the connection. A value of another type passes: its schema
 * will refuse it.
 *
 * @throws AuthError when nobody is bound, AccessDeniedError when it is somebody else
 */
export function requireBound(caller: Caller, agentId: unknown): void {
  const { work, session } = caller;
  if (typeof agentId === "string" && isBoundTo(work, session, agentId)) return;
  requireAnyAgent(caller);
  if (typeof agentId !== "string") return;
  throw noteTarget(new AccessDeniedError(`connection is not bound to agent ${quote(agentId)}`), {
    gate: "binding",
    target: agentId,
    reason: "agent is not bound here",
  });
}

/**
 * Requires that a channel exists and that one of these agents is a member, by default any that is
 * bound here; others' channels answer exactly like unknown ones. At once where the channel is in
 * memory.
 *
 * @throws AuthError when nobody is bound, NotFoundError
 */
export function requireMember(
  caller: Caller,
  channelId: unknown,
  agentIds: readonly string[] = agentsOf(caller.work, caller.session),
): void | Promise<void> {
  requireAnyAgent(caller);
  if (typeof channelId !== "string") return;
  const { channels } = caller.work.context;
  const live = channels.peek(channelId);
  if (live !== undefined) {
    if (agentIds.some((agentId) => live.participants.has(agentId))) return;
    throw hiddenChannel(channelId, true);
  }
  return channels.metadata(channelId).then((channel) => {
    if (hasMember(channel, agentIds)) return;
    throw hiddenChannel(channelId, channel !== null);
  });
}

/**
 * Requires that an operator stands behind the connection and may do this.
 *
 * @throws AuthError without one, AccessDeniedError for one that may only look
 */
export function requireOperator(caller: Caller, access: OperatorAccess): Principal {
  const { session, op } = caller;
  const { principal } = session;
  if (principal === null) {
    throw markGate(new AuthError(`${op} is for operators; authenticate first`), "operator");
  }
  requireOperatorRole(principal, access);
  return principal;
}

/** {@link requireMember} for one agent, which must be bound here. */
export function requireMembership(
  caller: Caller,
  channelId: unknown,
  agentId: unknown,
): void | Promise<void> {
  requireBound(caller, agentId);
  if (typeof channelId !== "string" || typeof agentId !== "string") return;
  return requireMember(caller, channelId, [agentId]);
}

/** {@link requireMembership}, which an agent that was invited into the open channel has too. */
export function requireInvitedOrMember(
  caller: Caller,
  channelId: unknown,
  agentId: unknown,
): void | Promise<void> {
  if (typeof channelId === "string" && typeof agentId === "string") {
    const live = caller.work.context.channels.peek(channelId);
    const isInvited = live?.metadata.invited?.some(({ agent_id }) => agent_id === agentId);
    if (isInvited === true) return requireBound(caller, agentId);
  }
  return requireMembership(caller, channelId, agentId);
}

/** True if a bound agent is a member of the channel. */
export async function isMember(caller: Caller, channelId: string): Promise<boolean> {
  const { work, session } = caller;
  const agentIds = agentsOf(work, session);
  const live = work.context.channels.peek(channelId);
  if (live !== undefined) return agentIds.some((agentId) => live.participants.has(agentId));
  return hasMember(await work.context.channels.metadata(channelId), agentIds);
}

function hasMember(channel: ChannelMetadata | null, agentIds: readonly string[]): boolean {
  return channel?.participants.some(({ agent_id }) => agentIds.includes(agent_id)) ?? false;
}

/** The operator is told whether there is such a channel; who asks is not. */
function hiddenChannel(channelId: string, exists: boolean): NotFoundError {
  const error = new NotFoundError(`channel not found: ${quote(channelId)}`);
  const reason = exists ? "no member is bound here" : "there is no such channel";
  return noteTarget(error, { gate: "membership", target: channelId, reason });
}
