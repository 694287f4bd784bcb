import { parseTimestamp } from "@colloquy/protocol";
import type { Moment } from "../../live/channel-watch.js";
import type { LiveChannel } from "../../live/live-channel.js";
import type { ExpectationFacts } from "../evaluator.js";
import type { Watch } from "../watch.js";

/** A channel's facts as evaluators see them: what is durable, at this instant. */
export function viewFacts(live: LiveChannel, watch: Watch): ExpectationFacts {
  const { metadata: channel, state } = live.durable;
  const created: Moment = [0, parseTimestamp(channel.created_at) ?? 0];
  return {
    channel,
    state,
    position: live.committed,
    created,
    lastContent: watch.content ?? created,
    turn: watch.turn,
    unanswered: (agentId) => watch.unanswered(agentId),
    lastSaid: (agentId) => watch.lastSaid(agentId),
  };
}
