import {
  type ChannelMetadata,
  type Participant,
  participantSchema,
} from "../channel/channel-metadata.js";
import type { Envelope } from "../envelope/envelope.js";
import {
  EV_CHANNEL_INVITE,
  EV_PARTICIPANT_HIDDEN,
  EV_PARTICIPANT_JOINED,
  EV_PARTICIPANT_LAPSED,
  EV_PARTICIPANT_LEFT,
  EV_PARTICIPANT_REMOVED,
  EV_PARTICIPANT_SHOWN,
} from "../envelope/event-types.js";

/** A change of who takes part in a channel, before it is decided. */
export type MembershipChange =
  | { readonly kind: "join"; readonly participant: Participant }
  | { readonly kind: "leave" | "remove" | "hide" | "show"; readonly agent_id: string };

/** What an envelope of a WAL says about who takes part. */
export type MembershipEvent =
  | { readonly kind: "invited"; readonly agent_id: string; readonly by: string | null }
  | { readonly kind: "lapsed"; readonly agent_id: string }
  | { readonly kind: "joined"; readonly agent_id: string; readonly participant: Participant }
  | { readonly kind: "left" | "removed"; readonly agent_id: string; readonly was_hidden: boolean }
  | { readonly kind: "hidden" | "shown"; readonly agent_id: string };

/** How an envelope changes who takes part; null for every other envelope. Total for any payload. */
export function membershipEventOf({
  event_type,
  event_data,
  audience,
}: Pick<Envelope, "event_type" | "event_data" | "audience">): MembershipEvent | null {
  const agent_id = textOf(event_data["agent_id"]);
  switch (event_type) {
    case EV_CHANNEL_INVITE: {
      const by = event_data["invited_by"];
      const [invitee] = audience ?? [];
      if (by === undefined || invitee === undefined) return null;
      return { kind: "invited", agent_id: invitee, by: textOf(by) };
    }
    case EV_PARTICIPANT_JOINED: {
      const parsed = participantSchema.safeParse(event_data["participant"]);
      if (!parsed.success) return null;
      return { kind: "joined", agent_id: parsed.data.agent_id, participant: parsed.data };
    }
    case EV_PARTICIPANT_LEFT:
    case EV_PARTICIPANT_REMOVED: {
      if (agent_id === null) return null;
      const kind = event_type === EV_PARTICIPANT_LEFT ? "left" : "removed";
      return { kind, agent_id, was_hidden: event_data["was_hidden"] === true };
    }
    case EV_PARTICIPANT_HIDDEN:
      return agent_id === null ? null : { kind: "hidden", agent_id };
    case EV_PARTICIPANT_SHOWN:
      return agent_id === null ? null : { kind: "shown", agent_id };
    case EV_PARTICIPANT_LAPSED:
      return agent_id === null ? null : { kind: "lapsed", agent_id };
    default:
      return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/**
 * A channel's metadata after an envelope, as far as its members go; the same object when the
 * envelope changes nothing of them. Live and replay use the same call.
 */
export function foldMembership(channel: ChannelMetadata, envelope: Envelope): ChannelMetadata {
  const event = membershipEventOf(envelope);
  if (event === null) return channel;
  const { agent_id } = event;
  switch (event.kind) {
    case "invited": {
      const entry = { agent_id, by: event.by, at: envelope.created_at };
      return withInvited(channel, [...withoutAgent(channel.invited ?? [], agent_id), entry]);
    }
    case "lapsed":
      return withInvited(channel, withoutAgent(channel.invited ?? [], agent_id));
    case "joined": {
      const open = withInvited(channel, withoutAgent(channel.invited ?? [], agent_id));
      return withMembers(open, [
        ...withoutAgent(channel.participants, agent_id),
        event.participant,
      ]);
    }
    case "left":
    case "removed":
      return withMembers(channel, withoutAgent(channel.participants, agent_id));
    case "hidden":
    case "shown":
      return withMembers(
        channel,
        channel.participants.map((member) =>
          member.agent_id === agent_id ? markHidden(member, event.kind === "hidden") : member,
        ),
      );
  }
}

/** A channel as it was at its opening, as far as its members go: what a fold of its WAL starts from. */
export function channelAtStart(channel: ChannelMetadata): ChannelMetadata {
  const { founders, invited: _invited, wind_up: _windUp, ...rest } = channel;
  return founders === undefined ? channel : { ...rest, participants: founders };
}

/**
 * True if a member may see an envelope: it sent it, is named in the audience, or the envelope is for
 * everybody and not older than what the member may see of the channel's history.
 *
 * @param position - of the envelope in its channel
 */
export function visibleToMember(
  envelope: Pick<Envelope, "sender_id" | "audience">,
  position: number,
  member: Pick<Participant, "agent_id" | "since">,
): boolean {
  const { audience, sender_id } = envelope;
  if (sender_id === member.agent_id) return true;
  if (audience !== null) return audience.includes(member.agent_id);
  return member.since === undefined || position >= member.since;
}

function withInvited(
  channel: ChannelMetadata,
  invited: NonNullable<ChannelMetadata["invited"]>,
): ChannelMetadata {
  const { invited: _before, ...rest } = channel;
  return invited.length === 0 ? rest : { ...rest, invited };
}

function withMembers(channel: ChannelMetadata, participants: Participant[]): ChannelMetadata {
  return { ...channel, participants, founders: channel.founders ?? channel.participants };
}

function markHidden({ hidden: _before, ...member }: Participant, hidden: boolean): Participant {
  return hidden ? { ...member, hidden: true } : member;
}

function withoutAgent<T extends { readonly agent_id: string }>(
  list: readonly T[],
  agentId: string,
): T[] {
  return list.filter(({ agent_id }) => agent_id !== agentId);
}
