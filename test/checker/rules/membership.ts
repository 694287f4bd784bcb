import type { Finding } from "../finding.js";
import type { Log } from "../log/log.js";

/** Senders and audiences are members, each named once. */
export function* checkMembership(log: Log): Generator<Finding, void> {
  for (const channel of log.channels.values()) {
    const members = new Set(channel.members);
    if (members.size !== channel.members.length || !members.has(channel.creatorId)) {
      const message = "its members are not each there once, with the creator among them";
      yield { kind: "member", where: channel.where, message };
    }
    for (const { where, senderId, audience } of channel.envelopes) {
      if (!members.has(senderId)) {
        yield { kind: "member", where, message: `sender ${senderId} takes no part` };
      }
      const strangers = (audience ?? []).filter((id) => !members.has(id));
      if (strangers.length > 0) {
        const message = `the audience names ${strangers.join(", ")}, who take no part`;
        yield { kind: "member", where, message };
      }
      if (new Set(audience ?? []).size !== (audience ?? []).length) {
        yield { kind: "member", where, message: "the audience names somebody twice" };
      }
    }
  }
}
