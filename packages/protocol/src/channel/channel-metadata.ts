import * as z from "zod";
import { channelManifestSchema } from "./channel-manifest.js";

/** Where a channel is in its life. `closed` and `expired` are final. */
export const channelStateSchema = z.enum(["pending", "active", "closing", "closed", "expired"]);
/** See {@link channelStateSchema}. */
export type ChannelState = z.infer<typeof channelStateSchema>;

/** What a participant is in a channel. */
export const roleSchema = z.enum(["initiator", "respondent", "participant"]);
/** See {@link roleSchema}. */
export type Role = z.infer<typeof roleSchema>;

/** One member of a channel. */
export const participantSchema = z.strictObject({
  agent_id: z.string().min(1),
  role: roleSchema,
  /** Index in the list of members, from 0. */
  order: z.int().min(0),
  joined_at: z.string().default(""),
});
/** See {@link participantSchema}. */
export type Participant = z.infer<typeof participantSchema>;

/** All that is known of a channel except its WAL. Keys as on the wire, in this order. */
export const channelMetadataSchema = z.strictObject({
  channel_id: z.string().min(1),
  manifest: channelManifestSchema,
  creator_id: z.string().min(1),
  participants: z.array(participantSchema),
  state: channelStateSchema,
  created_at: z.string(),
  expires_at: z.string().nullable().default(null),
  closed_at: z.string().nullable().default(null),
  close_reason: z.string().default(""),
  parent_channel_id: z.string().nullable().default(null),
  knobs: z.record(z.string(), z.unknown()).default({}),
  labels: z.record(z.string(), z.string()).default({}),
  required_acks: z.int().min(0).nullable().default(null),
  pending_acks: z.array(z.string()).default([]),
  rejected_by: z.array(z.string()).default([]),
});
/** See {@link channelMetadataSchema}. */
export type ChannelMetadata = z.infer<typeof channelMetadataSchema>;

/** True for states that no transition leaves. */
export function isTerminalState(state: ChannelState): boolean {
  return state === "closed" || state === "expired";
}

/** The member with this id, or undefined. */
export function findParticipant(
  channel: ChannelMetadata,
  agentId: string,
): Participant | undefined {
  return channel.participants.find((participant) => participant.agent_id === agentId);
}

/** Ids of the members in their `order`. */
export function participantOrder(channel: ChannelMetadata): string[] {
  return [...channel.participants]
    .sort((a, b) => a.order - b.order)
    .map((member) => member.agent_id);
}
