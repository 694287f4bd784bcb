import * as z from "zod";

/** A turn that a participant owes in a channel. Unknown fields are refused. */
export const pendingTurnSchema = z.strictObject({
  channel_id: z.string(),
  /** Envelope to answer; null when the participant is to open the conversation. */
  triggering_envelope_id: z.string().nullable(),
  /** ISO time since which the turn is owed. */
  expected_at: z.string(),
});

/** A turn that a participant owes. */
export type PendingTurn = z.infer<typeof pendingTurnSchema>;
