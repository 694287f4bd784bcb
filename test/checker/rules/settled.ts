import type { Finding } from "../finding.js";
import { endsChannel, isFor, type Log, type LoggedDelivery } from "../log/log.js";

/** What members are said to have settled is there, and is theirs. */
export function* checkSettled(log: Log): Generator<Finding, void> {
  for (const delivery of log.deliveries) {
    for (const message of faultsOf(log, delivery)) {
      yield { kind: "settled", where: delivery.where, message };
    }
  }
}

function* faultsOf(log: Log, delivery: LoggedDelivery): Generator<string, void> {
  const { agentId, channelId, cursor, floor, above, settled } = delivery;
  const channel = log.channels.get(channelId);
  if (channel === undefined) return yield `channel ${channelId} is not in the log`;
  if (!channel.members.includes(agentId)) yield `${agentId} takes no part in the channel`;
  const end = channel.envelopes.at(-1);
  const head = end?.position ?? 0;
  if (floor > head) yield `floor ${floor} lies above the channel's end ${head}`;
  let last = floor;
  for (const position of above) {
    if (position <= last) yield `${position} in above does not lie above ${last}`;
    if (position > head) yield `${position} in above lies above the channel's end ${head}`;
    last = position;
  }
  const isLater = cursor > (log.envelopes.at(-1)?.id ?? "");
  if (cursor !== "" && !isLater) {
    const envelope = log.byId.get(cursor);
    if (envelope?.channelId !== channelId || !isFor(log, envelope, agentId)) {
      yield `cursor ${cursor} is no envelope that ${agentId} gets in the channel`;
    }
  }
  const isOver = end !== undefined && endsChannel(end);
  if (settled && !isOver && log.agents.has(agentId)) {
    yield "it is settled for good, and the channel goes on";
  }
}
