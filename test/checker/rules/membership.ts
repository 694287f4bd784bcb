import type { Finding } from "../finding.js";
import { isNotice, type Log, type LoggedChannel, type LoggedEnvelope } from "../log/log.js";

const INVITE = "ag2.channel.invite";

/** Senders and audiences take part at that moment, each named once. */
export function* checkMembership(log: Log): Generator<Finding, void> {
  for (const channel of log.channels.values()) {
    yield* checkMetadata(channel);
    const invited = new Set<string>();
    for (const envelope of channel.envelopes) {
      if (envelope.eventType === INVITE) for (const id of envelope.audience ?? []) invited.add(id);
      yield* checkNames(channel, envelope, invited);
    }
  }
}

/** Those at the opening are there once, and with those who came and went make up those at the end. */
function* checkMetadata(channel: LoggedChannel): Generator<Finding, void> {
  const { where, founders, members, creatorId, envelopes } = channel;
  if (new Set(founders).size !== founders.length || !founders.includes(creatorId)) {
    const message = "its members are not each there once, with the creator among them";
    yield { kind: "member", where, message };
  }
  const atEnd = envelopes.at(-1)?.after.order ?? founders;
  if ([...atEnd].sort().join() === [...members].sort().join()) return;
  const message = `its members are ${members.join(", ")}, and its envelopes make them ${atEnd.join(", ")}`;
  yield { kind: "member", where, message };
}

function* checkNames(
  { creatorId }: LoggedChannel,
  { where, senderId, audience, eventType, data, before, after }: LoggedEnvelope,
  invited: ReadonlySet<string>,
): Generator<Finding, void> {
  const isHubs = isNotice(eventType) && senderId === creatorId;
  const answers = eventType.startsWith("ag2.channel.invite") && invited.has(senderId);
  if (!isHubs && !answers && !before.order.includes(senderId)) {
    yield { kind: "member", where, message: `sender ${senderId} takes no part` };
  }
  const named = audience ?? [];
  const isKnown = (id: string): boolean =>
    before.order.includes(id) || after.order.includes(id) || isSubject(id);
  const isSubject = (id: string): boolean =>
    (eventType === INVITE && data["invited_by"] !== undefined) ||
    (isNotice(eventType) && data["agent_id"] === id);
  const strangers = named.filter((id) => !isKnown(id));
  if (strangers.length > 0) {
    const message = `the audience names ${strangers.join(", ")}, who take no part`;
    yield { kind: "member", where, message };
  }
  if (new Set(named).size !== named.length) {
    yield { kind: "member", where, message: "the audience names somebody twice" };
  }
}
