const JOINED = "ag2.channel.participant.joined";
const LEFT = "ag2.channel.participant.left";
const REMOVED = "ag2.channel.participant.removed";
const HIDDEN = "ag2.channel.participant.hidden";
const SHOWN = "ag2.channel.participant.shown";

/** Who takes part in a channel at one moment. */
export interface Members {
  /** Ids in the order of their turns, hidden ones included. */
  readonly order: readonly string[];
  /** Those who are not spoken to. */
  readonly hidden: readonly string[];
}

/** True for the notices of who comes, goes, or is spoken to. */
export function isMemberNotice(eventType: string): boolean {
  return eventType.startsWith("ag2.channel.participant.");
}

/** The members after an envelope; the same object when it changes nothing of them. */
export function membersAfter(
  members: Members,
  {
    eventType,
    data,
  }: { readonly eventType: string; readonly data: Readonly<Record<string, unknown>> },
): Members {
  const id = data["agent_id"];
  if (typeof id !== "string") return members;
  const others = members.order.filter((one) => one !== id);
  const hidden = members.hidden.filter((one) => one !== id);
  if (eventType === JOINED) return { order: [...others, id], hidden };
  if (eventType === LEFT || eventType === REMOVED) return { order: others, hidden };
  if (eventType === HIDDEN) return { order: members.order, hidden: [...hidden, id] };
  if (eventType === SHOWN) return { order: members.order, hidden };
  return members;
}
