import type { Finding } from "../finding.js";
import {
  endsChannel,
  isFor,
  type Log,
  type LoggedChannel,
  type LoggedDelivery,
} from "../log/log.js";

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
  if (!hasTakenPart(channel, agentId)) yield `${agentId} takes no part in the channel`;
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
    if (envelope?.channelId !== channelId || !isFor(envelope, agentId)) {
      yield `cursor ${cursor} is no envelope that ${agentId} gets in the channel`;
    }
  }
  const isOver = end !== undefined && endsChannel(end);
  const goesOn = !isOver && channel.members.includes(agentId);
  if (settled && goesOn && log.agents.has(agentId)) {
    yield "it is settled for good, and the channel goes on";
  }
}

/** True for whoever takes part or once did, and for whoever was invited later. */
function hasTakenPart({ founders, envelopes }: LoggedChannel, agentId: string): boolean {
  return (
    founders.includes(agentId) ||
    envelopes.some(({ after, audience, eventType }) =>
      eventType === "ag2.channel.invite"
        ? audience?.includes(agentId)
        : after.order.includes(agentId),
    )
  );
}
