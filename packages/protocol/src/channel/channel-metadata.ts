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
  /**
   * Position from which on it sees what is said to everybody: that of its joining, in a channel
   * whose knob `history` is `since_join`. Absent: it sees all. Colloquy's profile only.
   */
  since: z.int().min(1).optional(),
  /** Set while it is hidden: it reads, but is not addressed and may not speak. Colloquy's profile only. */
  hidden: z.literal(true).optional(),
});
/** See {@link participantSchema}. */
export type Participant = z.infer<typeof participantSchema>;

/** Somebody who was invited into a channel that was open already, and has not answered. */
export const invitedSchema = z.strictObject({
  agent_id: z.string().min(1),
  /** The member that invited; null for the program that holds the hub. */
  by: z.string().nullable(),
  /** When, as ISO time. */
  at: z.string(),
});
/** See {@link invitedSchema}. */
export type Invited = z.infer<typeof invitedSchema>;

/** How a channel that is about to close winds up. */
export const windUpSchema = z.strictObject({
  /** When it closes whatever is still outstanding, as ISO time. */
  until: z.string(),
  /** Position of the envelope that began it: what stands before it may still be answered. */
  position: z.int().min(1),
});
/** See {@link windUpSchema}. */
export type WindUp = z.infer<typeof windUpSchema>;

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
  /** Members at the opening; absent while nobody has come, gone or been hidden. Colloquy's profile only. */
  founders: z.array(participantSchema).optional(),
  /** Those invited later who have not answered; absent for none. Colloquy's profile only. */
  invited: z.array(invitedSchema).optional(),
  /** Set while the state is `closing`; `close_reason` is then the reason it will close with. Colloquy's profile only. */
  wind_up: windUpSchema.optional(),
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

/** The member with this id who may speak; undefined for a hidden one too. */
export function findSpeaker(channel: ChannelMetadata, agentId: string): Participant | undefined {
  const found = findParticipant(channel, agentId);
  return found?.hidden === true ? undefined : found;
}

/** Ids of the members in their `order`. */
export function participantOrder(channel: ChannelMetadata): string[] {
  return [...channel.participants]
    .sort((a, b) => a.order - b.order)
    .map((member) => member.agent_id);
}
