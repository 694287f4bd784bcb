import { InboxFullError, type Rule } from "@colloquy/protocol";
import { ALLOW, type InboxRequest, type Verdict } from "./arbiter.js";

/**
 * The gate of a recipient's inbox: refuses with `InboxFullError` when as many envelopes are
 * outstanding as the recipient's rule allows. `max_pending` of 0 or less switches it off; with the
 * overflow `drop_oldest` or `drop_newest` everybody may send, and delivery gives one envelope up
 * for this recipient.
 */
export function judgeInbox({ recipient, pending }: InboxRequest): Verdict {
  const { max_pending, overflow } = recipient.rule.limits.inbox;
  if (max_pending <= 0 || pending < max_pending || overflow !== "reject") return ALLOW;
  return {
    allow: false,
    reason: `recipient '${recipient.id}' inbox at capacity (${pending} >= ${max_pending})`,
    error: (reason) =>
      new InboxFullError(reason, {
        details: { recipient_id: recipient.id, pending, max_pending },
      }),
  };
}

/**
 * Fill at which an inbox raises a warning: `high_water`, or four fifths of `max_pending` and at
 * least 1. Null when there is none: the limit is off, or the mark is 0 or less.
 */
export function highWaterOf({ limits }: Rule): number | null {
  const { max_pending, high_water } = limits.inbox;
  if (high_water !== null) return high_water > 0 ? high_water : null;
  return max_pending > 0 ? Math.max(1, Math.floor(max_pending * 0.8)) : null;
}
