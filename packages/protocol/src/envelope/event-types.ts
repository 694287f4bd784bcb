/** Plain text said by a participant. */
export const EV_TEXT = "ag2.msg.text";
/** One workflow round: routing, context updates and body together. */
export const EV_PACKET = "ag2.packet";
/** The hub invites one participant. */
export const EV_CHANNEL_INVITE = "ag2.channel.invite";
/** An invitee accepts. */
export const EV_CHANNEL_INVITE_ACK = "ag2.channel.invite.ack";
/** An invitee declines. */
export const EV_CHANNEL_INVITE_REJECT = "ag2.channel.invite.reject";
/** Every invitee has accepted; the channel is active. */
export const EV_CHANNEL_OPENED = "ag2.channel.opened";
/** The channel is closed; the last envelope of its WAL. */
export const EV_CHANNEL_CLOSED = "ag2.channel.closed";
/** The channel outlived its time to live; the last envelope of its WAL. */
export const EV_CHANNEL_EXPIRED = "ag2.channel.expired";
/** The channel takes nothing new and closes once what is under way has ended. */
export const EV_CHANNEL_CLOSING = "ag2.channel.closing";
/** Somebody who was invited later has accepted and takes part from here on. */
export const EV_PARTICIPANT_JOINED = "ag2.channel.participant.joined";
/** A participant has left by itself. */
export const EV_PARTICIPANT_LEFT = "ag2.channel.participant.left";
/** A participant was taken out of the channel. */
export const EV_PARTICIPANT_REMOVED = "ag2.channel.participant.removed";
/** A participant is addressed no longer and may not speak; it still reads. */
export const EV_PARTICIPANT_HIDDEN = "ag2.channel.participant.hidden";
/** A hidden participant is back. */
export const EV_PARTICIPANT_SHOWN = "ag2.channel.participant.shown";
/** An invitation into an open channel has come to nothing. */
export const EV_PARTICIPANT_LAPSED = "ag2.channel.participant.lapsed";
/** An expectation of the channel was violated. */
export const EV_EXPECTATION_VIOLATED = "ag2.expectation.violated";
/** The hub hands a turn that was not taken in time on to another participant. */
export const EV_TURN_REASSIGNED = "colloquy.turn.reassigned";
/** A participant sets or deletes context variables. */
export const EV_CONTEXT_SET = "ag2.context.set";
/** A peer asks a task's owner to cancel. */
export const EV_TASK_CANCEL_REQUEST = "ag2.task.cancel_request";
/** A task's owner says that it was cancelled. */
export const EV_TASK_CANCELLED = "ag2.task.cancelled";

/** Prefix of every event about the life of a channel. */
export const CHANNEL_EVENT_PREFIX = "ag2.channel.";
/** Prefix of every event about a task. */
export const TASK_EVENT_PREFIX = "ag2.task.";

/** The six events of a participant's coming and going. Colloquy's own; other hubs have none of them. */
export const PARTICIPANT_EVENTS: ReadonlySet<string> = new Set([
  EV_PARTICIPANT_JOINED,
  EV_PARTICIPANT_LEFT,
  EV_PARTICIPANT_REMOVED,
  EV_PARTICIPANT_HIDDEN,
  EV_PARTICIPANT_SHOWN,
  EV_PARTICIPANT_LAPSED,
]);

/** The six events of a channel's opening and end; no turn rule applies to them. */
export const CHANNEL_EVENTS: ReadonlySet<string> = new Set([
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  EV_CHANNEL_OPENED,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
]);

/** Events that only the hub itself may write; a participant that posts one is refused. */
export const HUB_EVENTS: ReadonlySet<string> = new Set([
  EV_CHANNEL_INVITE,
  EV_CHANNEL_OPENED,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_CLOSING,
  ...PARTICIPANT_EVENTS,
  EV_EXPECTATION_VIOLATED,
  EV_TURN_REASSIGNED,
]);

/** True for events about a channel's life or a task: they need no active channel and fill no inbox. */
export function isProtocolEvent(eventType: string): boolean {
  return eventType.startsWith(CHANNEL_EVENT_PREFIX) || eventType.startsWith(TASK_EVENT_PREFIX);
}
