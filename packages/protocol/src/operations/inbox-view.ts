import * as z from "zod";

const count = z.int().min(0);

/** What waits for one agent: the substantive envelopes that it has not settled, over all channels. */
export const inboxViewSchema = z.object({
  agent_id: z.string(),
  /** Envelopes outstanding, of ended channels too. */
  pending: count,
  /** The agent's rule: 0 or less is no limit. */
  max_pending: z.int(),
  overflow: z.string(),
  /** Fill at which listeners are warned; null for never. */
  high_water: z.int().nullable(),
  /** The oldest of them; null when there is none. */
  oldest: z
    .object({ channel_id: z.string(), envelope_id: z.string(), created_at: z.string() })
    .nullable(),
  /** Channels with something outstanding, the fullest first; as many as were asked for. */
  channels: z.array(
    z.object({ channel_id: z.string(), pending: count, oldest_envelope_id: z.string() }),
  ),
  /** How many there are in all. */
  channel_count: count,
});

/** See {@link inboxViewSchema}. */
export type InboxView = z.infer<typeof inboxViewSchema>;
