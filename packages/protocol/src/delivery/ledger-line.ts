import * as z from "zod";

/**
 * How far an envelope has come with one recipient.
 *
 * - `queued`: it waits, because the recipient is away, busy or behind.
 * - `sent`: handed to the recipient's connection; nothing proves that it has arrived.
 * - `taken_up`: the recipient says that it has begun to work on it.
 * - `failed`: the recipient could not handle it; unless it is given up it comes again.
 * - `acknowledged`: the recipient has handled it.
 * - `answered`: the recipient has posted an envelope that names it as its cause.
 * - `refused`: the rules kept it from the recipient; it was never sent.
 * - `expired`: its time to live was over first; given up.
 * - `dead`: given up for another reason.
 */
export const deliveryStateSchema = z.enum([
  "queued",
  "sent",
  "taken_up",
  "failed",
  "acknowledged",
  "answered",
  "refused",
  "expired",
  "dead",
]);
/** See {@link deliveryStateSchema}. */
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

const time = z.string().nullable();

/** One line of an envelope's ledger: how it stands with one recipient. Times are ISO, null for not (known). */
export const ledgerLineSchema = z.object({
  recipient_id: z.string(),
  state: deliveryStateSchema,
  /** How often it has been sent. */
  attempt: z.int().min(0),
  /** Why it failed, was refused or was given up; empty for none. */
  reason: z.string(),
  queued_at: time,
  /** When it was sent last. */
  sent_at: time,
  taken_up_at: time,
  failed_at: time,
  answered_at: time,
  /** When it was acknowledged, refused or given up. */
  settled_at: time,
});
/** See {@link ledgerLineSchema}. */
export type LedgerLine = z.infer<typeof ledgerLineSchema>;
