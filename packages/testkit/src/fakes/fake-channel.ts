import {
  type ChannelManifest,
  type ChannelMetadata,
  createEnvelope,
  type Envelope,
  EV_TEXT,
  formatTimestamp,
  type Role,
} from "@colloquy/protocol";
import { FAKE_START_MS } from "./fake-clock.js";

/**
 * An active channel as a hub would open it: the first id is the creator, roles and orders follow the
 * list.
 */
export function fakeChannel(
  manifest: ChannelManifest,
  ids: readonly string[],
  knobs: Readonly<Record<string, unknown>> = {},
): ChannelMetadata {
  const now = formatTimestamp(FAKE_START_MS);
  const others: Role = ids.length === 2 ? "respondent" : "participant";
  return {
    channel_id: "channel-1",
    manifest,
    creator_id: ids[0] ?? "",
    participants: ids.map((agent_id, order) => ({
      agent_id,
      role: order === 0 ? "initiator" : others,
      order,
      joined_at: now,
    })),
    state: "active",
    created_at: now,
    expires_at: null,
    closed_at: null,
    close_reason: "",
    parent_channel_id: null,
    knobs: { ...knobs },
    labels: {},
    required_acks: null,
    pending_acks: [],
    rejected_by: [],
  };
}

/** An admitted envelope of a channel, for everybody; `fields` changes what it says otherwise. */
export function fakeEnvelope(
  channel: ChannelMetadata,
  senderId: string,
  fields: Partial<Envelope> = {},
): Envelope {
  return createEnvelope({
    envelope_id: "0".repeat(32),
    channel_id: channel.channel_id,
    sender_id: senderId,
    event_type: EV_TEXT,
    event_data: { text: `${senderId} speaks` },
    created_at: formatTimestamp(FAKE_START_MS),
    ...fields,
  });
}
