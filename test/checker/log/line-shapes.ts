import * as z from "zod";

const position = z.int().min(1);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const membersShape = z.array(z.looseObject({ agent_id: z.string().min(1), order: z.int().min(0) }));

export const headerShape = z.looseObject({
  format: z.literal("colloquy-wal"),
  version: z.literal(1),
});

const agentShape = z.looseObject({
  kind: z.literal("agent"),
  passport: z.looseObject({
    agent_id: z.string().min(1),
    name: z.string().min(1),
    kind: z.string().nullable(),
  }),
  rule: z.record(z.string(), z.unknown()).nullable(),
});

const channelShape = z.looseObject({
  kind: z.literal("channel"),
  channel: z.looseObject({
    channel_id: z.string().min(1),
    manifest: z.looseObject({ type: z.string(), version: z.int() }),
    creator_id: z.string().min(1),
    participants: membersShape,
    /** Those at the opening, where others take part now. */
    founders: membersShape.optional(),
    state: z.enum(["pending", "active", "closing", "closed", "expired"]),
    close_reason: z.string(),
    required_acks: z.int().min(0).nullable(),
    knobs: z.record(z.string(), z.unknown()),
  }),
});

/** An envelope as it was stored; a field that is not named here is kept. */
const envelopeShape = z.looseObject({
  envelope_id: z.string().regex(/^[0-9a-f]{32}$/),
  channel_id: z.string().min(1),
  sender_id: z.string().min(1),
  audience: z.array(z.string()).nullable(),
  event_type: z.string().min(1),
  event_data: z.record(z.string(), z.unknown()),
  causation_id: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  created_at: z.string().min(1),
  ttl_seconds: z.int().nullable(),
});

const envelopeLineShape = z.looseObject({
  kind: z.literal("envelope"),
  row: position,
  position,
  hash: digest,
  content_digest: digest,
  envelope: envelopeShape,
});

const deliveryShape = z.looseObject({
  kind: z.literal("delivery"),
  agent_id: z.string().min(1),
  channel_id: z.string().min(1),
  cursor: z.string(),
  floor: z.int().min(0),
  above: z.array(position),
  settled: z.boolean(),
});

const endShape = z.looseObject({
  kind: z.literal("end"),
  agents: z.int().min(0),
  channels: z.int().min(0),
  envelopes: z.int().min(0),
  deliveries: z.int().min(0),
});

/** Any line behind the header. */
export const lineShape = z.discriminatedUnion("kind", [
  agentShape,
  channelShape,
  envelopeLineShape,
  deliveryShape,
  endShape,
]);

/** See {@link lineShape}. */
export type Line = z.infer<typeof lineShape>;
