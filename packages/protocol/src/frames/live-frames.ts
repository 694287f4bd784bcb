import * as z from "zod";

/**
 * `delta`, both ways: a piece of an answer while it is being written. `colloquy.v1` only.
 *
 * Never stored and never replayed; the envelope that ends the turn is the truth.
 */
export const deltaFrameSchema = z.object({
  kind: z.literal("delta"),
  channel_id: z.string(),
  sender_id: z.string(),
  /** Envelope that the turn answers; the envelope that ends it has the same as its `causation_id`. */
  turn_id: z.string(),
  /** Run of the turn, from 1, as the hub counts deliveries; a later run writes its text anew. Absent: 1. */
  attempt: z.int().min(1).optional(),
  /** Counts the pieces of one run, from 0; a gap means that pieces were lost. */
  sequence: z.int().min(0),
  text: z.string(),
  /** Ids of the only members that may see it; absent: every member. */
  audience: z.array(z.string()).optional(),
  /** Set on the last frame of a run that no envelope ends: it has said nothing, or it has failed. */
  ended: z.enum(["silent", "failed"]).optional(),
});

/**
 * `hint`, hub to client: asks the client to behave differently. `colloquy.v1` only.
 *
 * `drain`: the hub is going down, finish and reconnect elsewhere or later. `retry_after`: slow down.
 * `replaced`: another connection has taken over the participant `agent_id`. `renew`: the
 * credential of `agent_id` ends within `retry_after_ms`, give a fresh one. `unbound`: it has ended,
 * and with it the binding; say hello with a fresh one.
 */
export const hintFrameSchema = z.object({
  kind: z.literal("hint"),
  hint: z.enum(["drain", "retry_after", "replaced", "renew", "unbound"]),
  /** How long to wait, or how much time is left, in milliseconds. */
  retry_after_ms: z.int().min(0).optional(),
  agent_id: z.string().optional(),
  message: z.string().optional(),
});

/** See {@link deltaFrameSchema}. */
export type DeltaFrame = z.infer<typeof deltaFrameSchema>;
/** See {@link hintFrameSchema}. */
export type HintFrame = z.infer<typeof hintFrameSchema>;
