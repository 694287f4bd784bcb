import type { BareOperationName, ChannelMetadata } from "@colloquy/protocol";
import { agentsOf } from "../session.js";
import type { Caller, Operations, RawParams } from "./operation.js";
import {
  isMember,
  requireAnyAgent,
  requireBound,
  requireMember,
  requireMembership,
} from "./scopes.js";

type ChannelOperationName = Extract<
  BareOperationName,
  | "create_channel"
  | "get_channel"
  | "list_channels"
  | "close_channel"
  | "can_send"
  | "pending_turns_for"
  | "report_turn_failure"
>;

const byChannel = (caller: Caller, raw: RawParams): void | Promise<void> =>
  requireMember(caller, raw["channel_id"]);

/** Channels are opened by a bound agent, and seen and closed by their members. */
export const channelOperations: Operations<ChannelOperationName> = {
  create_channel: {
    authorize: byCreator,
    run: async (caller, input) => shownTo(caller, await caller.work.hub.createChannel(input)),
    bulky: true,
    changes: true,
  },
  get_channel: {
    authorize: byChannel,
    run: async (caller, { channel_id }) =>
      shownTo(caller, await caller.work.hub.getChannel(channel_id)),
    bulky: true,
  },
  list_channels: {
    authorize(caller, raw) {
      if (typeof raw["agent_id"] === "string") requireBound(caller, raw["agent_id"]);
      else requireAnyAgent(caller);
    },
    async run(caller, { agent_id, limit }) {
      const found =
        agent_id === null
          ? await listOwn(caller, limit)
          : await caller.work.hub.listChannels({ agent_id, limit });
      return found.map((channel) => shownTo(caller, channel));
    },
    bulky: true,
  },
  close_channel: {
    authorize: byChannel,
    run: async (caller, { channel_id, reason }) =>
      shownTo(caller, await caller.work.hub.closeChannel(channel_id, reason)),
    bulky: true,
    changes: true,
  },
  can_send: {
    authorize: (caller, raw) => requireBound(caller, raw["sender_id"]),
    async run(caller, { channel_id, sender_id, event_type }): Promise<boolean> {
      if (!(await isMember(caller, channel_id))) return false;
      return caller.work.hub.canSend(channel_id, sender_id, event_type);
    },
  },
  pending_turns_for: {
    authorize: (caller, raw) => requireBound(caller, raw["agent_id"]),
    run: async ({ work }, { agent_id }) => [...(await work.hub.pendingTurnsFor(agent_id))],
    bulky: true,
  },
  report_turn_failure: {
    authorize: (caller, raw) => requireMembership(caller, raw["channel_id"], raw["agent_id"]),
    async run({ work }, failure): Promise<null> {
      await work.hub.reportTurnFailure(failure);
      return null;
    },
  },
};

/** A channel is opened by its creator, in the course of a channel of its own or of none. */
function byCreator(caller: Caller, raw: RawParams): void | Promise<void> {
  const [creator, parent] = [raw["creator_id"], raw["parent_channel_id"]];
  if (typeof parent === "string") return requireMembership(caller, parent, creator);
  requireBound(caller, creator);
}

/** The channels of all agents bound here, each once, in creation order. */
async function listOwn(caller: Caller, limit: number): Promise<ChannelMetadata[]> {
  const { work, session } = caller;
  const found = new Map<string, ChannelMetadata>();
  for (const agentId of agentsOf(work, session)) {
    for (const channel of await work.hub.listChannels({ agent_id: agentId, limit })) {
      found.set(channel.channel_id, channel);
    }
  }
  const inOrder = [...found.values()].sort((a, b) => (a.channel_id < b.channel_id ? -1 : 1));
  return inOrder.slice(0, limit);
}

/** AG2's own clients take no key that they do not know, in a channel or in a participant. */
function shownTo({ session }: Caller, channel: ChannelMetadata): ChannelMetadata {
  if (session.peer.profile !== "ag2") return channel;
  const { founders: _founders, invited: _invited, wind_up: _windUp, ...bare } = channel;
  const participants = bare.participants.map(
    ({ since: _since, hidden: _hidden, ...participant }) => participant,
  );
  return { ...bare, participants };
}
