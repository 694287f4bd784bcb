import {
  type ChannelAdapter,
  type ChannelMetadata,
  channelAtStart,
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_OPENED,
  eventPayloadSchemas,
  explainIssue,
  findParticipant,
  foldMembership,
  HUB_EVENTS,
  isNetworkError,
  isProtocolEvent,
  type StoredEnvelope,
} from "@colloquy/protocol";
import { readBody } from "../wal/read-body.js";
import type { Finding } from "./finding.js";
import { at } from "./link-check.js";

/** Checks a channel's envelopes against its protocol by folding them again. */
export interface TurnCheck {
  take(stored: StoredEnvelope): Finding[];
  /** The state after the envelopes taken so far; undefined once it cannot be computed. */
  readonly state: unknown;
}

/** What is known after the envelopes so far. */
interface Course {
  /** With the members that it has by then. */
  channel: ChannelMetadata;
  state: unknown;
  /** False once a fold has failed: what follows cannot be judged. */
  foldable: boolean;
  opened: boolean;
  ended: boolean;
  /** Set while the channel must close with the next envelope. */
  closing: string | null;
}

/**
 * Makes a {@link TurnCheck}.
 *
 * Every envelope that a participant sent must be one that the channel's adapter accepts after those
 * before it. Without an adapter only shapes, senders and the channel's end are checked.
 */
export function createTurnCheck(
  channel: ChannelMetadata,
  adapter: ChannelAdapter | null,
): TurnCheck {
  const founded = channelAtStart(channel);
  const course: Course = {
    channel: founded,
    state: adapter?.initialState(founded),
    foldable: adapter !== null,
    opened: false,
    ended: false,
    closing: null,
  };
  return {
    get state() {
      return course.foldable ? course.state : undefined;
    },
    take(stored) {
      const envelope = readBody(stored);
      if (envelope === null) {
        course.foldable = false;
        return isJson(stored.body) ? [at(stored, "bad_body", "the body is no envelope")] : [];
      }
      const found = [
        ...checkCourse(course, stored),
        ...checkPayload(envelope, stored),
        ...checkSender(course.channel, stored),
      ];
      if (adapter !== null) found.push(...checkTurn(course, { adapter, envelope, stored }));
      course.channel = foldMembership(course.channel, envelope);
      return found;
    },
  };
}

/** A channel opens before anybody speaks, closes when its protocol says so, and then is over. */
function checkCourse(course: Course, stored: StoredEnvelope): Finding[] {
  const type = stored.event_type;
  const findings: Finding[] = [];
  if (course.ended) findings.push(at(stored, "end", "it stands behind the end of its channel"));
  if (course.closing !== null && !endsChannel(type)) {
    const message = `the channel had to close with reason ${course.closing} before it`;
    findings.push(at(stored, "end", message));
  }
  if (!course.opened && !isProtocolEvent(type) && !HUB_EVENTS.has(type)) {
    findings.push(at(stored, "turn", "the channel was not open yet"));
  }
  course.closing = null;
  if (type === EV_CHANNEL_OPENED) course.opened = true;
  if (endsChannel(type)) course.ended = true;
  return findings;
}

function checkPayload(envelope: Envelope, stored: StoredEnvelope): Finding[] {
  const result = eventPayloadSchemas.get(envelope.event_type)?.safeParse(envelope.event_data);
  if (result === undefined || result.success) return [];
  const { message } = explainIssue(result.error.issues, envelope.event_data, "event_data");
  return [at(stored, "payload", message)];
}

function checkSender(channel: ChannelMetadata, stored: StoredEnvelope): Finding[] {
  if (HUB_EVENTS.has(stored.event_type)) return [];
  if (findParticipant(channel, stored.sender_id) !== undefined) return [];
  if (channel.invited?.some(({ agent_id }) => agent_id === stored.sender_id)) return [];
  return [at(stored, "sender", `sender ${stored.sender_id} takes no part in the channel`)];
}

interface Step {
  readonly adapter: ChannelAdapter;
  readonly envelope: Envelope;
  readonly stored: StoredEnvelope;
}

function checkTurn(course: Course, { adapter, envelope, stored }: Step): Finding[] {
  if (!course.foldable) return [];
  const { channel } = course;
  const findings: Finding[] = [];
  if (!HUB_EVENTS.has(envelope.event_type)) {
    const refusal = thrownBy(() => adapter.validateSend(channel, envelope, course.state));
    if (refusal !== null) {
      const words = isNetworkError(refusal) ? "its turn was not allowed" : "the adapter failed";
      findings.push(at(stored, "turn", `${words}: ${refusal.message}`));
    }
  }
  const before = course.state;
  const fault = thrownBy(() => {
    course.state = adapter.fold(before, envelope);
    course.closing = adapter.onAccepted(channel, envelope, course.state).close ?? null;
  });
  if (fault !== null && !endsChannel(envelope.event_type)) {
    course.foldable = false;
    findings.push(at(stored, "fold", `no state can be computed past it: ${fault.message}`));
  }
  return findings;
}

function thrownBy(run: () => void): Error | null {
  try {
    run();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** True for the last envelope of a channel. */
export function endsChannel(eventType: string): boolean {
  return eventType === EV_CHANNEL_CLOSED || eventType === EV_CHANNEL_EXPIRED;
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
