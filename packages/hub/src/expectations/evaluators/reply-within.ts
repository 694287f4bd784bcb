import { parseTimestamp } from "@colloquy/protocol";
import type { ExpectationEvaluator } from "../evaluator.js";
import { checkSeconds, secondsOf } from "./seconds.js";

const DEFAULT_SECONDS = 600;

/**
 * `reply_within`: whoever is spoken to says something within `params.seconds` (default 600) of the
 * newest text or packet that names it or is for everybody. Violators: those who have not, in an
 * active channel. AG2 looks at texts alone, so that no workflow ever keeps this promise there.
 */
export const replyWithin: ExpectationEvaluator = {
  name: "reply_within",
  needs: () => ["replies"],
  check: checkSeconds,
  leastMs: (expectation) => secondsOf(expectation, DEFAULT_SECONDS),
  *conditions(expectation, { channel, unanswered }) {
    if (channel.state !== "active") return;
    const within = secondsOf(expectation, DEFAULT_SECONDS);
    for (const { agent_id: violator, joined_at, hidden } of channel.participants) {
      const since = hidden === true ? null : unanswered(violator);
      // Nobody owes an answer to what was said before it came.
      if (since === null || since[1] < (parseTimestamp(joined_at) ?? 0)) continue;
      yield { violator, since, due: since[1] + within };
    }
  },
};
