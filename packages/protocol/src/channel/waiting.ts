import * as z from "zod";

/**
 * Why nothing moves in a channel, the cause that stands first counts. `docs/why-waiting.md` says what
 * each of them means.
 */
export const WAITING_CAUSES = [
  "not_found",
  "ended",
  "hub_draining",
  "quarantined",
  "store_failing",
  "committing",
  "invitee_silent",
  "quorum_short",
  "closing",
  "type_unusable",
  "agent_gone",
  "dead_letter",
  "delivery_refused",
  "turn_failed",
  "redelivery",
  "agent_offline",
  "inbox_full",
  "not_delivered",
  "human_awaited",
  "turn_taken_up",
  "turn_expected",
  "expectation_pending",
  "nobody_expected",
] as const;

/** See {@link WAITING_CAUSES}. */
export const waitingCauseSchema = z.enum(WAITING_CAUSES);
/** See {@link WAITING_CAUSES}. */
export type WaitingCause = z.infer<typeof waitingCauseSchema>;

/** What a channel waits for at one instant. */
export const waitingSchema = z.object({
  channel_id: z.string(),
  /** All of it in one English sentence, for people. */
  sentence: z.string(),
  cause: waitingCauseSchema,
  /** Who could end the wait; empty when no participant can. */
  awaited: z.array(z.object({ agent_id: z.string(), name: z.string() })),
  /** Since when, as ISO time; null when that is not known or nothing is waited for. */
  since: z.string().nullable(),
  /** What happens next by itself, and when as ISO time; null for nothing. */
  next: z.object({ what: z.string(), at: z.string() }).nullable(),
});
/** See {@link waitingSchema}. */
export type Waiting = z.infer<typeof waitingSchema>;
