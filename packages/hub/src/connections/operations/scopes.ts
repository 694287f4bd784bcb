import { AccessDeniedError, AuthError, NotFoundError } from "@colloquy/protocol";
import { quote } from "../../core/quote.js";
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
  const { work, session, op } = caller;
  if (typeof agentId === "string" && isBoundTo(work, session, agentId)) return;
  requireAnyAgent(caller);
  if (typeof agentId !== "string") return;
  work.intrusions.add(session, { op, claimed: agentId, reason: "agent is not bound here" });
  throw new AccessDeniedError(`connection is not bound to agent ${quote(agentId)}`);
}

/**
 * Requires that a channel exists and has a member that `isOurs` accepts; others' channels answer
 * exactly like unknown ones. At once where the channel is in memory.
 *
 * @throws AuthError when nobody is bound, NotFoundError
 */
export function requireMember(
  caller: Caller,
  channelId: unknown,
  isOurs: (agentId: string) => boolean = (agentId) =>
    isBoundTo(caller.work, caller.session, agentId),
): void | Promise<void> {
  requireAnyAgent(caller);
  if (typeof channelId !== "string") return;
  const { channels } = caller.work.context;
  const live = channels.peek(channelId);
  if (live !== undefined) {
    for (const agentId of live.participants) if (isOurs(agentId)) return;
    throw hiddenChannel(caller, channelId, true);
  }
  return channels.metadata(channelId).then((channel) => {
    if (channel?.participants.some(({ agent_id }) => isOurs(agent_id)) === true) return;
    throw hiddenChannel(caller, channelId, channel !== null);
  });
}

/** {@link requireMember} for one agent, which must be bound here. */
export function requireMembership(
  caller: Caller,
  channelId: unknown,
  agentId: unknown,
): void | Promise<void> {
  requireBound(caller, agentId);
  if (typeof channelId !== "string" || typeof agentId !== "string") return;
  if (caller.work.context.channels.peek(channelId)?.participants.has(agentId) === true) return;
  return requireMember(caller, channelId, (member) => member === agentId);
}

/** True if a bound agent is a member of the channel. */
export async function isMember(caller: Caller, channelId: string): Promise<boolean> {
  const live = caller.work.context.channels.peek(channelId);
  const isOurs = (agentId: string) => isBoundTo(caller.work, caller.session, agentId);
  if (live !== undefined) return [...live.participants].some(isOurs);
  const channel = await caller.work.context.channels.metadata(channelId);
  return channel?.participants.some(({ agent_id }) => isOurs(agent_id)) ?? false;
}

function hiddenChannel(caller: Caller, channelId: string, exists: boolean): NotFoundError {
  if (exists) {
    const { work, session, op } = caller;
    work.intrusions.add(session, { op, claimed: channelId, reason: "no member is bound here" });
  }
  return new NotFoundError(`channel not found: ${quote(channelId)}`);
}
