import * as z from "zod";

/** An envelope that was given up for one recipient, with what is needed to try again. */
export const deadLetterSchema = z.object({
  recipient_id: z.string(),
  envelope_id: z.string(),
  channel_id: z.string(),
  /** Place of the envelope in its channel, from 1. */
  position: z.int().min(1),
  sender_id: z.string(),
  event_type: z.string(),
  /** Why it was given up. */
  reason: z.string(),
  /** How often it was sent before it was given up last. */
  attempts: z.int().min(0),
  /** `dead`, or `retrying` while it is outstanding again. */
  state: z.enum(["dead", "retrying"]),
  /** How often somebody has asked to try again. */
  retries: z.int().min(0),
  /** ISO time at which it was given up last. */
  died_at: z.string(),
  /** ISO time after which it is not delivered any more, and so cannot be retried; null for never. */
  expires_at: z.string().nullable(),
});
/** See {@link deadLetterSchema}. */
export type DeadLetter = z.infer<typeof deadLetterSchema>;
