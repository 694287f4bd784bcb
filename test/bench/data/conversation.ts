import { createConversationAdapter } from "@colloquy/adapters";
import {
  type ChannelMetadata,
  type ChannelState,
  channelMetadataSchema,
  type EnvelopeDraft,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_OPENED,
  EV_TEXT,
  formatTimestamp,
} from "@colloquy/protocol";

const { manifest } = createConversationAdapter();

/** Characters of a text in a filled store. */
const TEXT = "They went on talking about the weather, the harvest and the price of bread. ".repeat(
  2,
);

/** Two agents who talk. */
export type Pair = readonly [creatorId: string, otherId: string];

/** Metadata of a conversation that has been opened, and closed again if the state says so. */
export function conversation(
  channelId: string,
  [creator, other]: Pair,
  state: ChannelState,
): ChannelMetadata {
  const now = formatTimestamp(Date.now());
  return channelMetadataSchema.parse({
    channel_id: channelId,
    manifest,
    creator_id: creator,
    participants: [
      { agent_id: creator, role: "initiator", order: 0, joined_at: now },
      { agent_id: other, role: "respondent", order: 1, joined_at: now },
    ],
    state,
    created_at: now,
    closed_at: state === "closed" ? now : null,
    close_reason: state === "closed" ? "done" : "",
  } satisfies Partial<ChannelMetadata>);
}

/** The envelope at a position of such a conversation, counted from 1. */
export function line(channelId: string, pair: Pair, position: number): EnvelopeDraft {
  if (position === 1) {
    return {
      channel_id: channelId,
      sender_id: pair[0],
      audience: [...pair],
      event_type: EV_CHANNEL_OPENED,
      event_data: { channel_id: channelId },
    };
  }
  return {
    channel_id: channelId,
    sender_id: pair[position % 2 === 0 ? 0 : 1],
    event_type: EV_TEXT,
    event_data: { text: `${position}. ${TEXT}` },
  };
}

/** The last envelope of a closed conversation. */
export function lastLine(channelId: string, pair: Pair): EnvelopeDraft {
  return {
    channel_id: channelId,
    sender_id: pair[0],
    audience: [...pair],
    event_type: EV_CHANNEL_CLOSED,
    event_data: { reason: "done", channel_id: channelId },
  };
}
