import * as z from "zod";
import { participantSchema } from "../channel/channel-metadata.js";
import { envelopePartsSchema } from "./envelope-content.js";
import {
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_CLOSING,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_OPENED,
  EV_CONTEXT_SET,
  EV_EXPECTATION_VIOLATED,
  EV_PACKET,
  EV_PARTICIPANT_HIDDEN,
  EV_PARTICIPANT_JOINED,
  EV_PARTICIPANT_LAPSED,
  EV_PARTICIPANT_LEFT,
  EV_PARTICIPANT_REMOVED,
  EV_PARTICIPANT_SHOWN,
  EV_TASK_CANCEL_REQUEST,
  EV_TASK_CANCELLED,
  EV_TEXT,
  EV_TURN_REASSIGNED,
} from "./event-types.js";

/** Payload of a text, and what goes with it. More keys are kept as they are. */
export const textPayloadSchema = z.looseObject({
  text: z.string(),
  parts: envelopePartsSchema.nullish(),
});
/** See {@link textPayloadSchema}. */
export type TextPayload = z.infer<typeof textPayloadSchema>;

/** Context variables to set and to delete; deletes come first. */
export const contextUpdatesSchema = z.looseObject({
  set: z.record(z.string(), z.unknown()).nullish(),
  delete: z.array(z.string()).nullish(),
});
/** See {@link contextUpdatesSchema}. */
export type ContextUpdates = z.infer<typeof contextUpdatesSchema>;

/** What a round decided about the next speaker. Keys that do not apply are left out. */
export const routingSchema = z.looseObject({
  kind: z.enum(["text", "handoff", "finish"]),
  tool: z.string().nullish(),
  /** Agent id, or a name that the hub resolves before it appends. */
  target: z.string().nullish(),
  reason: z.string().nullish(),
  summary: z.string().nullish(),
  /** What a handoff named when nobody by that name takes part. */
  unresolved_target: z.string().nullish(),
});
/** See {@link routingSchema}. */
export type Routing = z.infer<typeof routingSchema>;

/** Payload of a workflow round. `context` is read as `context_updates` too. */
export const packetPayloadSchema = z.looseObject({
  routing: routingSchema.nullish(),
  context_updates: contextUpdatesSchema.nullish(),
  body: z.string().nullish(),
  /** What goes with the body. */
  parts: envelopePartsSchema.nullish(),
});
/** See {@link packetPayloadSchema}. */
export type PacketPayload = z.infer<typeof packetPayloadSchema>;

/** Payload of an invitation. */
export const invitePayloadSchema = z.looseObject({
  channel_id: z.string(),
  manifest_type: z.string(),
  manifest_version: z.int(),
  creator_id: z.string(),
  knobs: z.record(z.string(), z.unknown()),
  labels: z.record(z.string(), z.string()),
  /** Only in an invitation into an open channel: who invites; null for the program that holds the hub. */
  invited_by: z.string().nullable().optional(),
});

/** Payload of a notice that an expectation was violated. */
export const violationPayloadSchema = z.looseObject({
  /** Name of the expectation. */
  expectation: z.string(),
  /** Ids of those who broke it; empty when it is about the channel as a whole. */
  violators: z.array(z.string()),
  /** `elapsed_seconds` and `threshold_seconds`, and what an evaluator adds. */
  detail: z.record(z.string(), z.unknown()),
});
/** See {@link violationPayloadSchema}. */
export type ViolationPayload = z.infer<typeof violationPayloadSchema>;

/** Payload of a turn that goes from one participant to another. */
export const reassignmentPayloadSchema = z.looseObject({
  /** Who was expected, and did not speak in time. */
  from: z.string(),
  /** Who is expected from now on. */
  to: z.string(),
  /** Name of the expectation that was violated. */
  expectation: z.string(),
});
/** See {@link reassignmentPayloadSchema}. */
export type ReassignmentPayload = z.infer<typeof reassignmentPayloadSchema>;

const channelPayloadSchema = z.looseObject({ channel_id: z.string() });
/** Payload of a channel that begins to close. */
export const closingPayloadSchema = z.looseObject({
  channel_id: z.string(),
  /** The reason it will close with. */
  reason: z.string(),
  /** When it closes at the latest, as ISO time. */
  until: z.string(),
});

/** Payload of a participant that has joined. */
export const joinedPayloadSchema = z.looseObject({
  channel_id: z.string(),
  participant: participantSchema,
  by: z.string().nullable(),
});

/** Payload of a participant's leaving, removal, hiding or showing, and of a lapsed invitation. */
export const participantPayloadSchema = z.looseObject({
  channel_id: z.string(),
  agent_id: z.string(),
  /** The member that did it; null for the program that holds the hub, absent where it was nobody else. */
  by: z.string().nullable().optional(),
  reason: z.string(),
  /** Of one who goes: true if it was hidden. */
  was_hidden: z.boolean().optional(),
});

const endPayloadSchema = z.looseObject({ channel_id: z.string(), reason: z.string() });
const taskPayloadSchema = z.looseObject({ task_id: z.string(), reason: z.string() });

/**
 * The shape of `event_data` per core event type. The hub checks it before the append, so that no
 * payload can break a fold later; types that are not listed are free.
 */
export const eventPayloadSchemas: ReadonlyMap<string, z.ZodType<Record<string, unknown>>> = new Map<
  string,
  z.ZodType<Record<string, unknown>>
>([
  [EV_TEXT, textPayloadSchema],
  [EV_PACKET, packetPayloadSchema],
  [EV_CONTEXT_SET, contextUpdatesSchema],
  [EV_CHANNEL_INVITE, invitePayloadSchema],
  [EV_CHANNEL_INVITE_ACK, channelPayloadSchema],
  [EV_CHANNEL_OPENED, channelPayloadSchema],
  [EV_CHANNEL_CLOSED, endPayloadSchema],
  [EV_CHANNEL_EXPIRED, endPayloadSchema],
  [EV_CHANNEL_CLOSING, closingPayloadSchema],
  [EV_PARTICIPANT_JOINED, joinedPayloadSchema],
  [EV_PARTICIPANT_LEFT, participantPayloadSchema],
  [EV_PARTICIPANT_REMOVED, participantPayloadSchema],
  [EV_PARTICIPANT_HIDDEN, participantPayloadSchema],
  [EV_PARTICIPANT_SHOWN, participantPayloadSchema],
  [EV_PARTICIPANT_LAPSED, participantPayloadSchema],
  [EV_EXPECTATION_VIOLATED, violationPayloadSchema],
  [EV_TURN_REASSIGNED, reassignmentPayloadSchema],
  [EV_TASK_CANCEL_REQUEST, taskPayloadSchema],
  [EV_TASK_CANCELLED, taskPayloadSchema],
]);
