import { ALLOW, type MembershipRequest, type Verdict } from "./arbiter.js";

const DEEDS = {
  invite: "invite into",
  remove: "remove others from",
  hide: "hide others in",
  show: "show others in",
} as const;

/** The gate of coming and going where an arbiter has none of its own: a channel's creator may. */
export function judgeMembership({ kind, channel, by }: MembershipRequest): Verdict {
  if (by.id === channel.creator_id) return ALLOW;
  const reason = `'${by.passport.name}' may not ${DEEDS[kind]} channel '${channel.channel_id}': only its creator may`;
  return { allow: false, reason };
}
