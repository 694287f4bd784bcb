import type { ExpectationEvaluator } from "../evaluator.js";
import { checkSeconds, secondsOf } from "./seconds.js";

const DEFAULT_SECONDS = 120;

/**
 * `turn_within`: the participant whose turn it is takes it within `params.seconds` (default 120) of
 * the envelope that gave it the turn; the first turn counts from the opening. Violator: that one.
 */
export const turnWithin: ExpectationEvaluator = {
  name: "turn_within",
  needs: () => ["turn"],
  check: checkSeconds,
  leastMs: (expectation) => secondsOf(expectation, DEFAULT_SECONDS),
  *conditions(expectation, { channel, turn }) {
    if (channel.state !== "active" || turn === null) return;
    const { agent_id: violator, since } = turn;
    yield { violator, since, due: since[1] + secondsOf(expectation, DEFAULT_SECONDS) };
  },
};
