import {
  type ChannelMetadata,
  isTerminalState,
  NotFoundError,
  ProtocolError,
  UnavailableError,
} from "@colloquy/protocol";
import type { ChannelDraft } from "../append/channel-draft.js";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { LiveChannel } from "../live/live-channel.js";
import { decide } from "../policy/decide.js";
import type { AgentEntry } from "../registry/agent-table.js";
import { checkChange } from "./check-change.js";
import { draftInvitation, newParticipant } from "./draft-participant.js";
import { changeChannel } from "./stage-change.js";
import { type AskedBy, authorizeChange } from "./who-may.js";

/**
 * Invites somebody into an active channel; resolves once the invitation is durable. It takes part
 * from its acceptance on. An invitation that is declined, or not answered within
 * `inviteAckTimeoutMs`, lapses. One who is invited already is left as it is.
 *
 * @throws NotFoundError for an unknown channel or agent
 * @throws AccessDeniedError when the arbiter refuses
 * @throws ProtocolError where the channel is not active, its type takes nobody in, it is full, or the agent takes part
 */
export async function inviteParticipant(
  context: CoreContext,
  channelId: string,
  agentId: string,
  { by = null }: Pick<AskedBy, "by"> = {},
): Promise<ChannelMetadata> {
  if (!context.accepting) throw new UnavailableError("the hub is shutting down; retry later");
  return changeChannel(context, channelId, (live, draft) => {
    requireActive(live);
    const inviter = authorizeChange(context, live, { kind: "invite", by, agentId });
    const invitee = context.agents.get(agentId);
    if (invitee === undefined) throw new NotFoundError(`agent not registered: ${quote(agentId)}`);
    if (live.metadata.invited?.some(({ agent_id }) => agent_id === agentId) === true) return;
    requireRoom(context, live, agentId);
    askInvitee(context, live, inviter, invitee);
    const participant = newParticipant(context, draft, agentId);
    checkChange(context, live, { kind: "join", participant });
    draftInvitation(context, draft, { agentId, by });
    gateInvitation(context, draft, inviter, invitee);
  });
}

function requireActive({ id, metadata: { state } }: LiveChannel): void {
  if (state === "active") return;
  const why = isTerminalState(state) ? `is ${state}` : `is not active (state=${state})`;
  throw new ProtocolError(`channel '${id}' ${why}`, { details: { state } });
}

function requireRoom({ limits }: CoreContext, live: LiveChannel, agentId: string): void {
  const { manifest, participants, invited = [] } = live.metadata;
  if (live.participants.has(agentId)) {
    throw new ProtocolError(`agent ${quote(agentId)} takes part in channel '${live.id}' already`);
  }
  const most = Math.min(
    manifest.participants.max ?? limits.maxParticipants,
    limits.maxParticipants,
  );
  if (participants.length + invited.length < most) return;
  throw new ProtocolError(
    `channel '${live.id}' of type '${manifest.type}' takes at most ${most} participants, invitees included`,
  );
}

/** The rules of both are asked as at an open; without an inviter, and without the creator, only the type is. */
function askInvitee(
  { arbiter, agents }: CoreContext,
  { metadata }: LiveChannel,
  inviter: AgentEntry | null,
  invitee: AgentEntry,
): void {
  const creator = inviter ?? agents.get(metadata.creator_id) ?? invitee;
  const request = { manifest: metadata.manifest, creator, invitees: [invitee], openChannels: 0 };
  decide(arbiter.authorizeChannelOpen(request));
}

/** The invitation has to pass the gate for its sender, as any envelope has. */
function gateInvitation(
  { arbiter, agents }: CoreContext,
  { entries, metadata }: ChannelDraft,
  inviter: AgentEntry | null,
  invitee: AgentEntry,
): void {
  const sender = inviter ?? agents.get(metadata.creator_id);
  const envelope = entries.at(-1)?.envelope;
  if (sender === undefined || envelope === undefined) return;
  decide(arbiter.authorizeSend({ envelope, sender, recipients: [invitee] }));
}
