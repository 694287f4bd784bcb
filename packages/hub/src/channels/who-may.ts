import { AccessDeniedError, NotFoundError } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { MembershipRequest } from "../policy/arbiter.js";
import { decide } from "../policy/decide.js";
import { judgeMembership } from "../policy/membership-gate.js";
import type { AgentEntry } from "../registry/agent-table.js";

/** Who asks for a change of the members, and why. */
export interface AskedBy {
  /** The member that asks; absent or null: the program that holds the hub, which may do anything. */
  readonly by?: string | null | undefined;
  readonly reason?: string | undefined;
}

/**
 * Asks whether a member may change who takes part. The program that holds the hub is not asked.
 *
 * @returns the member that asks; null for the program
 * @throws AccessDeniedError for an outsider, and as the arbiter says; NotFoundError for one that is not registered
 */
export function authorizeChange(
  { agents, arbiter }: Pick<CoreContext, "agents" | "arbiter">,
  live: LiveChannel,
  {
    kind,
    by,
    agentId,
  }: Pick<MembershipRequest, "kind"> & {
    readonly by: string | null;
    readonly agentId: string;
  },
): AgentEntry | null {
  if (by === null) return null;
  const asker = agents.get(by);
  if (asker === undefined) throw new NotFoundError(`agent not registered: ${quote(by)}`);
  if (!live.participants.has(by)) {
    throw new AccessDeniedError(`agent ${quote(by)} is not a participant of channel '${live.id}'`);
  }
  const subject = agents.get(agentId) ?? null;
  const request = { kind, channel: live.metadata, by: asker, subject };
  decide(arbiter.authorizeMembership?.(request) ?? judgeMembership(request));
  return asker;
}
