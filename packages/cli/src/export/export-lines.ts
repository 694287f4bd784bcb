import {
  channelMetadataSchema,
  passportSchema,
  resumeSchema,
  ruleSchema,
} from "@colloquy/protocol";
import * as z from "zod";

/** Names the format in the first line of an export. */
export const EXPORT_FORMAT = "colloquy-wal";
/** Version of the lines below. A reader refuses newer ones. */
export const EXPORT_VERSION = 1;

const position = z.int().min(1);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** First line. */
export const headerLineSchema = z.strictObject({
  format: z.literal(EXPORT_FORMAT),
  version: z.int().min(1),
  exported_at: z.string(),
});

/** An agent that takes part; its passport carries no claim. */
export const agentLineSchema = z.strictObject({
  kind: z.literal("agent"),
  passport: passportSchema,
  resume: resumeSchema.nullable(),
  rule: ruleSchema.nullable(),
  skill: z.string().nullable(),
});

/** A channel; stands before its envelopes. */
export const channelLineSchema = z.strictObject({
  kind: z.literal("channel"),
  channel: channelMetadataSchema,
});

/** An envelope, in the global order of the store that it comes from. */
export const envelopeLineSchema = z.strictObject({
  kind: z.literal("envelope"),
  /** Row in the store that it comes from; only its order counts. */
  row: position,
  position,
  hash: digest,
  content_digest: digest,
  envelope: z.record(z.string(), z.unknown()),
});

/** What a participant has settled of a channel. */
export const deliveryLineSchema = z.strictObject({
  kind: z.literal("delivery"),
  agent_id: z.string().min(1),
  channel_id: z.string().min(1),
  cursor: z.string(),
  floor: z.int().min(0),
  above: z.array(z.int().min(1)),
  settled: z.boolean(),
});

/** Last line: what must have come before it. */
export const endLineSchema = z.strictObject({
  kind: z.literal("end"),
  agents: z.int().min(0),
  channels: z.int().min(0),
  envelopes: z.int().min(0),
  deliveries: z.int().min(0),
});

/** Any line behind the first. */
export const exportLineSchema = z.discriminatedUnion("kind", [
  agentLineSchema,
  channelLineSchema,
  envelopeLineSchema,
  deliveryLineSchema,
  endLineSchema,
]);

/** See {@link headerLineSchema}. */
export type HeaderLine = z.infer<typeof headerLineSchema>;
/** See {@link agentLineSchema}. */
export type AgentLine = z.infer<typeof agentLineSchema>;
/** See {@link channelLineSchema}. */
export type ChannelLine = z.infer<typeof channelLineSchema>;
/** See {@link envelopeLineSchema}. */
export type EnvelopeLine = z.infer<typeof envelopeLineSchema>;
/** See {@link deliveryLineSchema}. */
export type DeliveryLine = z.infer<typeof deliveryLineSchema>;
/** See {@link endLineSchema}. */
export type EndLine = z.infer<typeof endLineSchema>;
/** See {@link exportLineSchema}. */
export type ExportLine = z.infer<typeof exportLineSchema>;
