import { EV_EXPECTATION_VIOLATED, type ViolationPayload } from "@colloquy/protocol";
import type { Violation } from "../../expectations/handler.js";
import { draftHubEnvelope } from "./draft-hub-envelope.js";
import type { Reaction } from "./reaction.js";

/** `audit`: the audit record that every violation leaves is all. */
export const auditOnly: Reaction = { draft: () => null };

/**
 * `notify_channel`: one notice to everybody in the channel, the creator included, whether the channel
 * is pending or active.
 */
export const notifyChannel: Reaction = {
  draft(context, draft, violation) {
    draftHubEnvelope(context, draft, noticeOf(violation, null));
    return null;
  },
};

/** `warn`: the notice goes to the violators alone. Where nobody in particular is one, nobody is warned. */
export const warnViolators: Reaction = {
  draft(context, draft, violation) {
    const { violator_ids } = violation;
    if (violator_ids.length === 0) return "there is nobody in particular to warn";
    draftHubEnvelope(context, draft, noticeOf(violation, violator_ids));
    return null;
  },
};

function noticeOf(violation: Violation, audience: readonly string[] | null) {
  const { expectation, violator_ids, detail } = violation;
  const payload: ViolationPayload = {
    expectation: expectation.name,
    violators: [...violator_ids],
    detail: { ...detail },
  };
  return { eventType: EV_EXPECTATION_VIOLATED, payload, audience };
}
