import type { Finding } from "../finding.js";
import { endsChannel, type Log, type LoggedChannel, type LoggedEnvelope } from "../log/log.js";
import { isMemberNotice } from "../log/members.js";

const INVITE = "ag2.channel.invite";
const ACK = "ag2.channel.invite.ack";
const REJECT = "ag2.channel.invite.reject";
const CLOSING = "ag2.channel.closing";
const OPENED = "ag2.channel.opened";
const VIOLATED = "ag2.expectation.violated";
const REASSIGNED = "colloquy.turn.reassigned";

/** What is known of a channel after the envelopes so far. */
interface Course {
  readonly channel: LoggedChannel;
  readonly invited: Set<string>;
  readonly answered: Set<string>;
  acks: number;
  opened: boolean;
  ended: boolean;
}

/** Every channel invites, opens, is used and ends in this order, as its metadata says. */
export function* checkCourses(log: Log): Generator<Finding, void> {
  for (const channel of log.channels.values()) {
    const course: Course = {
      channel,
      invited: new Set(),
      answered: new Set(),
      acks: 0,
      opened: false,
      ended: false,
    };
    for (const [index, envelope] of channel.envelopes.entries()) {
      yield* checkStep(course, envelope);
      yield* checkOpening(course, envelope, channel.envelopes[index + 1]);
    }
    yield* checkWhole(course);
  }
}

function* checkStep(course: Course, envelope: LoggedEnvelope): Generator<Finding, void> {
  const { where, eventType, senderId } = envelope;
  const { creatorId } = course.channel;
  if (course.ended) {
    yield { kind: "end", where, message: "it stands behind the end of its channel" };
  }
  if (endsChannel(envelope)) {
    course.ended = true;
    yield* checkEnd(course.channel, envelope);
  } else if (eventType === INVITE) {
    yield* checkInvitation(course, envelope);
  } else if (eventType === ACK || eventType === REJECT) {
    if (!course.invited.has(senderId)) {
      yield { kind: "course", where, message: `${senderId} answers without an invitation` };
    } else if (!course.answered.has(senderId)) {
      course.answered.add(senderId);
      if (eventType === ACK) course.acks += 1;
    }
  } else if (!course.opened && !mayPrecedeOpening(eventType)) {
    yield { kind: "course", where, message: `${eventType} before the channel was open` };
  }
  const isHubs =
    endsChannel(envelope) ||
    isMemberNotice(eventType) ||
    [OPENED, CLOSING, VIOLATED, REASSIGNED].includes(eventType) ||
    (eventType === INVITE && !isLater(envelope));
  if (isHubs && senderId !== creatorId) {
    const message = `${eventType} is sent by ${senderId}, not in the creator's name`;
    yield { kind: "course", where, message };
  }
}

function* checkInvitation(course: Course, envelope: LoggedEnvelope): Generator<Finding, void> {
  const { where, audience, position, before } = envelope;
  const [invitee = ""] = audience ?? [];
  if (isLater(envelope)) {
    if (!course.opened || audience?.length !== 1 || before.order.includes(invitee)) {
      const message = "a later invitation goes to one who takes no part, into an open channel";
      yield { kind: "course", where, message };
    }
    course.invited.add(invitee);
    return;
  }
  const isFresh = invitee !== course.channel.creatorId && !course.invited.has(invitee);
  if (audience?.length !== 1 || !isFresh) {
    yield { kind: "course", where, message: "an invitation goes to one invitee, once" };
  }
  if (position !== course.invited.size + 1) {
    yield { kind: "course", where, message: "invitations come before everything else" };
  }
  course.invited.add(invitee);
}

/** True for an invitation into a channel that is open already. */
function isLater({ eventType, data }: LoggedEnvelope): boolean {
  return eventType === INVITE && data["invited_by"] !== undefined;
}

/** The channel opens with the envelope behind the one that was enough, and only then. */
function* checkOpening(
  course: Course,
  envelope: LoggedEnvelope,
  next: LoggedEnvelope | undefined,
): Generator<Finding, void> {
  const { channel } = course;
  const invitees = channel.founders.length - 1;
  const needed = channel.requiredAcks ?? invitees;
  if (envelope.eventType === OPENED) {
    if (course.opened) {
      yield { kind: "course", where: envelope.where, message: "the channel was open already" };
    }
    if (course.invited.size < invitees || course.acks < needed) {
      const message = `it opens with ${course.acks} of ${needed} acceptances`;
      yield { kind: "course", where: envelope.where, message };
    }
    course.opened = true;
    return;
  }
  const isDue = !course.opened && !course.ended && course.invited.size === invitees;
  if (isDue && course.acks >= needed && next?.eventType !== OPENED) {
    const message = "enough have accepted, and the channel does not open with the next envelope";
    yield { kind: "course", where: envelope.where, message };
  }
}

function* checkEnd(channel: LoggedChannel, envelope: LoggedEnvelope): Generator<Finding, void> {
  const { where, eventType, data } = envelope;
  const state = eventType === "ag2.channel.closed" ? "closed" : "expired";
  if (channel.state !== state) {
    const message = `${eventType} ends a channel whose state is ${channel.state}`;
    yield { kind: "end", where, message };
  }
  if (data["reason"] !== channel.closeReason || data["channel_id"] !== channel.id) {
    const message = `it ends with reason ${String(data["reason"])}, its channel with ${channel.closeReason}`;
    yield { kind: "end", where, message };
  }
}

function* checkWhole(course: Course): Generator<Finding, void> {
  const { channel } = course;
  const { where, state } = channel;
  if (!course.ended && (state === "closed" || state === "expired")) {
    yield { kind: "end", where, message: `its state is ${state}, and no envelope ends it` };
  }
  if (course.opened && state === "pending") {
    yield { kind: "course", where, message: "it has opened, and its state is pending" };
  }
  if (!course.opened && state === "active") {
    yield { kind: "course", where, message: "its state is active, and it has not opened" };
  }
}

/** The hub may say in a pending channel that its invitees are late. */
function mayPrecedeOpening(eventType: string): boolean {
  return eventType === OPENED || eventType === VIOLATED || isProtocolEvent(eventType);
}

function isProtocolEvent(eventType: string): boolean {
  return eventType.startsWith("ag2.channel.") || eventType.startsWith("ag2.task.");
}
