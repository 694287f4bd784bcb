import * as z from "zod";

/** How urgently an envelope wants to be delivered, across channels. */
export const prioritySchema = z.enum(["background", "normal", "urgent"]);
/** See {@link prioritySchema}. */
export type Priority = z.infer<typeof prioritySchema>;

/** Longest id, event type or key that an envelope may carry, in characters. */
export const MAX_ENVELOPE_KEY_LENGTH = 256;

/** Most ids that the audience of an envelope may name, and so most participants that a channel can have. */
export const MAX_AUDIENCE = 10_000;

const key = z.string().max(MAX_ENVELOPE_KEY_LENGTH);
const requiredKey = key.min(1);

/**
 * The only message between participants. It always belongs to a channel.
 *
 * Five keys are required; the hub overwrites `envelope_id` and `created_at` when it admits the
 * envelope. The order of keys here is the order in which an envelope is serialised and hashed.
 */
export const envelopeSchema = z.strictObject({
  /** Stamped by the hub: 32 hex characters, strictly increasing per hub. Empty before admission. */
  envelope_id: key.default(""),
  channel_id: requiredKey,
  /** The participant that sends; clients fill it, the hub checks it against the connection. */
  sender_id: key,
  /** Ids that may see it; null is every participant, `[]` is nobody (a note to the WAL). */
  audience: z.array(requiredKey).max(MAX_AUDIENCE).nullable(),
  event_type: requiredKey,
  event_data: z.record(z.string(), z.unknown()),
  task_id: key.nullable().default(null),
  /** The envelope that this one answers. */
  causation_id: key.nullable().default(null),
  /** W3C `traceparent`. */
  trace_id: key.nullable().default(null),
  priority: prioritySchema.default("normal"),
  /** Delegation hops so far. */
  depth: z.int().min(0).max(1_000_000).default(0),
  /** Repeats with the same key by the same sender in the same channel are one envelope. */
  idempotency_key: key.nullable().default(null),
  /** Stamped by the hub: ISO time with offset `+00:00`. Empty before admission. */
  created_at: key.default(""),
  /** Seconds after which it is no longer delivered; null is never. */
  ttl_seconds: z.int().min(0).nullable().default(null),
});

/** An envelope as it travels and as it stands in the WAL. */
export type Envelope = z.infer<typeof envelopeSchema>;

/** What a sender writes: the hub or the client fills the rest with defaults. */
export type EnvelopeDraft = Pick<Envelope, "channel_id" | "event_type" | "event_data"> &
  Partial<Omit<Envelope, "channel_id" | "event_type" | "event_data">>;

/** Completes a draft with the defaults; the key order is that of the schema. */
export function createEnvelope(draft: EnvelopeDraft): Envelope {
  return {
    envelope_id: draft.envelope_id ?? "",
    channel_id: draft.channel_id,
    sender_id: draft.sender_id ?? "",
    audience: draft.audience ?? null,
    event_type: draft.event_type,
    event_data: draft.event_data,
    task_id: draft.task_id ?? null,
    causation_id: draft.causation_id ?? null,
    trace_id: draft.trace_id ?? null,
    priority: draft.priority ?? "normal",
    depth: draft.depth ?? 0,
    idempotency_key: draft.idempotency_key ?? null,
    created_at: draft.created_at ?? "",
    ttl_seconds: draft.ttl_seconds ?? null,
  };
}
