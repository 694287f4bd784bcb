import { isMemberNotice, type Members } from "./members.js";

/** An envelope of a log. */
export interface LoggedEnvelope {
  /** File and line. */
  readonly where: string;
  readonly row: number;
  readonly position: number;
  readonly hash: string;
  readonly contentDigest: string;
  readonly id: string;
  readonly channelId: string;
  readonly senderId: string;
  readonly audience: readonly string[] | null;
  readonly eventType: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly causationId: string | null;
  readonly key: string | null;
  readonly ttlSeconds: number | null;
  /** Who took part when it was said. */
  readonly before: Members;
  /** Who takes part with it. */
  readonly after: Members;
  /** The envelope with every field, in the order of the file. */
  readonly whole: Readonly<Record<string, unknown>>;
}

/** A channel of a log. */
export interface LoggedChannel {
  readonly where: string;
  readonly id: string;
  readonly type: string;
  readonly creatorId: string;
  /** Ids in the members' order, as the channel was opened. */
  readonly founders: readonly string[];
  /** Ids of those who take part at the end. */
  readonly members: readonly string[];
  readonly state: "pending" | "active" | "closing" | "closed" | "expired";
  readonly closeReason: string;
  readonly requiredAcks: number | null;
  readonly knobs: Readonly<Record<string, unknown>>;
  /** In the order of the file. */
  readonly envelopes: LoggedEnvelope[];
}

/** An agent of a log. */
export interface LoggedAgent {
  readonly name: string;
  readonly isHuman: boolean;
  /** True when its rule may keep envelopes from it, so that it need not see all. */
  readonly isPicky: boolean;
}

/** What a member is said to have settled. */
export interface LoggedDelivery {
  readonly where: string;
  readonly agentId: string;
  readonly channelId: string;
  readonly cursor: string;
  readonly floor: number;
  readonly above: readonly number[];
  readonly settled: boolean;
}

/** All of an export. */
export interface Log {
  readonly agents: ReadonlyMap<string, LoggedAgent>;
  readonly channels: ReadonlyMap<string, LoggedChannel>;
  /** In the order of the file. */
  readonly envelopes: readonly LoggedEnvelope[];
  /** The first one of each id. */
  readonly byId: ReadonlyMap<string, LoggedEnvelope>;
  readonly deliveries: readonly LoggedDelivery[];
}

/** True for the envelope that ends a channel. */
export function endsChannel({ eventType }: Pick<LoggedEnvelope, "eventType">): boolean {
  return eventType === "ag2.channel.closed" || eventType === "ag2.channel.expired";
}

/** True for the answers to an invitation; they are passed on to nobody. */
function answersInvitation({ eventType }: Pick<LoggedEnvelope, "eventType">): boolean {
  return eventType === "ag2.channel.invite.ack" || eventType === "ag2.channel.invite.reject";
}

/** True for what takes a turn: texts and packets. */
export function takesTurn({ eventType }: Pick<LoggedEnvelope, "eventType">): boolean {
  return eventType === "ag2.msg.text" || eventType === "ag2.packet";
}

/** Notices that the hub writes in the creator's name; the creator gets them too. */
const NOTICES: ReadonlySet<string> = new Set([
  "ag2.channel.opened",
  "ag2.channel.closing",
  "ag2.channel.closed",
  "ag2.channel.expired",
  "ag2.expectation.violated",
  "colloquy.turn.reassigned",
]);

/** True for what the hub itself says, in the creator's name whether that still takes part or not. */
export function isNotice(eventType: string): boolean {
  return NOTICES.has(eventType) || isMemberNotice(eventType);
}

/**
 * True if an envelope is sent to somebody: it is named, or takes part and is spoken to. Nobody gets
 * what it has said itself.
 */
export function isFor(envelope: LoggedEnvelope, id: string): boolean {
  const { audience, senderId, eventType, before } = envelope;
  if (answersInvitation(envelope)) return false;
  if (senderId === id && (!isNotice(eventType) || audience === null)) return false;
  return audience?.includes(id) ?? (before.order.includes(id) && !before.hidden.includes(id));
}
