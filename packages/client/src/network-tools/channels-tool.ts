import { type ChannelMetadata, EV_TEXT, isNetworkError, type Tool } from "@colloquy/protocol";
import * as z from "zod";
import type { Channel } from "../channel/channel.js";
import { messageOf } from "../errors.js";
import { defineTool, optional, unknownAction } from "./define-tool.js";
import type { NetworkPort } from "./network-port.js";

const ACTIONS = ["list", "open", "info", "close"];

/** Channels that a list shows. */
const MOST_LISTED = 50;

const input = z.object({
  action: z.string().describe("`list`, `open`, `info` or `close`."),
  type: optional(z.string(), "open: type of the channel, such as `conversation`."),
  target: optional(
    z.union([z.string(), z.array(z.string()).min(1)]),
    "open: name or id of the peer to invite, or a list of them.",
  ),
  knobs: optional(z.record(z.string(), z.unknown()), "open: settings of the channel's type."),
  intent: optional(z.string(), "open: what the channel is for."),
  ttl: optional(
    z.union([z.string(), z.int()]),
    "open: life of the channel, in seconds or as text such as `2h`.",
  ),
  message: optional(z.string(), "open: a text to say first."),
  channel_id: optional(z.string(), "info and close: the channel; the current one by default."),
  state: optional(z.enum(["active", "all"]), "list: `active` (default) or `all`."),
});

type Args = z.output<typeof input>;

/** The tool `channels`: lists, opens, describes and closes the channels of its agent. */
export function createChannelsTool(port: NetworkPort): Tool {
  return defineTool({
    name: "channels",
    description: "List your channels, open one with a peer, look at one, or close one.",
    input,
    async run(args) {
      if (args.action === "list") return list(port, args);
      if (args.action === "open") return open(port, args);
      if (args.action === "info") return info(port, args.channel_id ?? port.channelId ?? "");
      if (args.action === "close") return close(port, args.channel_id ?? port.channelId ?? "");
      return unknownAction(args.action, ACTIONS);
    },
  });
}

async function list({ hub, agentId }: NetworkPort, { state }: Args): Promise<unknown> {
  const channels = await hub.listChannels({
    agent_id: agentId,
    include_terminal: state === "all",
    limit: MOST_LISTED,
  });
  return channels.map((channel) => ({
    channel_id: channel.channel_id,
    type: channel.manifest.type,
    state: channel.state,
    participants: idsOf(channel),
  }));
}

async function open(port: NetworkPort, args: Args): Promise<unknown> {
  const { type, target, message } = args;
  if (!type || !target) return "Error: open requires `type` and `target`";
  let channel: Channel;
  try {
    channel = await port.open({
      type,
      target,
      knobs: args.knobs ?? undefined,
      intent: args.intent ?? undefined,
      ttl: args.ttl ?? undefined,
    });
  } catch (error) {
    return `Error: open failed: ${messageOf(error)}`;
  }
  const opened = {
    channel_id: channel.channelId,
    type: channel.metadata.manifest.type,
    participants: idsOf(channel.metadata),
  };
  return message ? seed(channel, message, opened) : opened;
}

/** Says the first text. A channel whose first text is refused has no use and is closed again. */
async function seed(channel: Channel, message: string, opened: object): Promise<unknown> {
  try {
    const seed_envelope_id = await channel.send(message, { event_type: EV_TEXT });
    return { ...opened, seed_envelope_id };
  } catch (error) {
    const refusal = `Error: seed send failed: ${messageOf(error)}`;
    try {
      await channel.close("seed_failed");
    } catch {
      // The refusal is what the model can act on; the channel ends with its time to live.
    }
    return refusal;
  }
}

async function info(port: NetworkPort, channelId: string): Promise<unknown> {
  if (channelId === "") return "Error: info requires `channel_id`";
  const channel = await readChannel(port, channelId);
  if (channel === null) return `Error: channel '${channelId}' not found`;
  if (!idsOf(channel).includes(port.agentId)) {
    return `Error: not a participant of channel '${channelId}'`;
  }
  const { manifest } = channel;
  return {
    channel_id: channel.channel_id,
    type: manifest.type,
    version: manifest.version,
    state: channel.state,
    creator_id: channel.creator_id,
    participants: channel.participants.map(({ agent_id, role, order }) => ({
      agent_id,
      role,
      order,
    })),
    knobs: channel.knobs,
    labels: channel.labels,
    expectations: manifest.expectations.map(({ name, on_violation, params }) => ({
      name,
      on_violation,
      params,
    })),
    created_at: channel.created_at,
    expires_at: channel.expires_at,
    closed_at: channel.closed_at,
    close_reason: channel.close_reason,
  };
}

async function close({ hub }: NetworkPort, channelId: string): Promise<unknown> {
  if (channelId === "") return "Error: close requires `channel_id` or an active channel";
  try {
    const { channel_id, state, close_reason } = await hub.closeChannel(
      channelId,
      "closed_by_agent",
    );
    return { channel_id, state, close_reason };
  } catch (error) {
    return `Error: close failed: ${messageOf(error)}`;
  }
}

async function readChannel(
  { hub }: NetworkPort,
  channelId: string,
): Promise<ChannelMetadata | null> {
  try {
    return await hub.getChannel(channelId);
  } catch (error) {
    if (isNetworkError(error) && error.code === "not_found") return null;
    throw error;
  }
}

function idsOf({ participants }: ChannelMetadata): string[] {
  return participants.map(({ agent_id }) => agent_id);
}
