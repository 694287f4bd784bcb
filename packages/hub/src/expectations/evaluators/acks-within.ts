import type { ExpectationEvaluator } from "../evaluator.js";
import { checkSeconds, secondsOf } from "./seconds.js";

const DEFAULT_SECONDS = 30;

/**
 * `acks_within`: while a channel is pending, every invitee answers within `params.seconds` (default
 * 30) of its creation. Violators: those who have not.
 */
export const acksWithin: ExpectationEvaluator = {
  name: "acks_within",
  needs: () => [],
  check: checkSeconds,
  leastMs: (expectation) => secondsOf(expectation, DEFAULT_SECONDS),
  *conditions(expectation, { channel, created }) {
    if (channel.state !== "pending") return;
    const due = created[1] + secondsOf(expectation, DEFAULT_SECONDS);
    for (const violator of channel.pending_acks) {
      yield { violator, since: created, due };
    }
  },
};
