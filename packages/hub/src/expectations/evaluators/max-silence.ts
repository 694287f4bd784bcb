import { parseTimestamp } from "@colloquy/protocol";
import type { Moment } from "../../live/channel-watch.js";
import type { ExpectationEvaluator } from "../evaluator.js";
import { checkSeconds, secondsOf } from "./seconds.js";

const DEFAULT_SECONDS = 3_600;

/**
 * `max_silence`: an active channel is never without content for `params.seconds` (default 3600),
 * counted from its newest content or its creation. Nobody in particular has broken it. With
 * `applies_to` it is about each of those participants, and the violators are those who were silent.
 */
export const maxSilence: ExpectationEvaluator = {
  name: "max_silence",
  needs: ({ applies_to }) => (applies_to === null ? ["content"] : ["speakers"]),
  check: checkSeconds,
  leastMs: (expectation) => secondsOf(expectation, DEFAULT_SECONDS),
  *conditions(expectation, { channel, created, lastContent, lastSaid }) {
    if (channel.state !== "active") return;
    const within = secondsOf(expectation, DEFAULT_SECONDS);
    if (expectation.applies_to === null) {
      yield { violator: null, since: lastContent, due: lastContent[1] + within };
      return;
    }
    for (const { agent_id: violator, joined_at, hidden } of channel.participants) {
      if (hidden === true) continue;
      const joined: Moment = [0, Math.max(created[1], parseTimestamp(joined_at) ?? 0)];
      const since = lastSaid(violator) ?? joined;
      yield { violator, since, due: since[1] + within };
    }
  },
};
