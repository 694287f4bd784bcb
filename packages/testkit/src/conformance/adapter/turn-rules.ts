import {
  type ChannelAdapter,
  type ChannelMetadata,
  createEnvelope,
  type Envelope,
  EV_TURN_REASSIGNED,
  findParticipant,
  isNetworkError,
} from "@colloquy/protocol";
import fc from "fast-check";
import { expect } from "vitest";
import { type AdapterSubject, foldAll, playCourse } from "./adapter-scenario.js";
import { arbitraryEnvelope, arbitraryProtocolEnvelope } from "./channel-envelopes.js";
import { admitWishes, arbitraryWishes } from "./live-course.js";
import { expectSame } from "./same-json.js";

/** The scenario's course is accepted, envelope by envelope, and ends as it says. */
export function checkCourse({ makeAdapter, scenario }: AdapterSubject): void {
  const { channel, course, closes = null } = scenario;
  expect(course).not.toEqual([]);
  expect(playCourse(makeAdapter(), channel, course).closed).toBe(closes);
}

/** R4: events of a channel's life and of tasks pass, and leave the turn alone. */
export function checkProtocolEvents({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const input = fc.tuple(arbitraryWishes(scenario), arbitraryProtocolEnvelope(channel));
  const property = fc.property(input, ([wishes, envelope]) => {
    const adapter = makeAdapter();
    const state = stateAfter(adapter, channel, admitWishes(adapter, channel, wishes));
    adapter.validateSend(channel, envelope, state);
    const after = adapter.fold(state, envelope);
    expectSame(adapter.expectedNext(channel, after), adapter.expectedNext(channel, state));
    expect(adapter.onAccepted(channel, envelope, after).close).toBeUndefined();
  });
  fc.assert(property, { numRuns: runs });
}

/** R5: a refusal is a ProtocolError with a message; nothing else is thrown. */
export function checkRefusals({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const input = fc.tuple(arbitraryWishes(scenario), arbitraryEnvelope(channel));
  const property = fc.property(input, ([wishes, envelope]) => {
    const adapter = makeAdapter();
    const state = stateAfter(adapter, channel, admitWishes(adapter, channel, wishes));
    expectProtocolError(() => adapter.validateSend(channel, envelope, state));
  });
  fc.assert(property, { numRuns: runs });
}

/** Whoever is expected takes part, and a text by them is accepted. */
export function checkExpectedNext({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const property = fc.property(arbitraryWishes(scenario), (wishes) => {
    const adapter = makeAdapter();
    const course = admitWishes(adapter, channel, wishes);
    const state = stateAfter(adapter, channel, course);
    const turn = adapter.expectedNext(channel, state);
    if (turn === null) return;
    expect(findParticipant(channel, turn.agent_id)).toBeDefined();
    const trigger = turn.triggering_envelope_id;
    if (trigger !== null) expect(course.map((e) => e.envelope_id)).toContain(trigger);
    const draft = { channelId: channel.channel_id, senderId: turn.agent_id, text: "said" };
    adapter.validateSend(channel, createEnvelope(adapter.textEnvelope(draft)), state);
  });
  fc.assert(property, { numRuns: runs });
}

/** Whoever gets a turn that was handed on takes part, is another, and is expected from then on. */
export function checkReassign({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const property = fc.property(arbitraryWishes(scenario), (wishes) => {
    const adapter = makeAdapter();
    const state = stateAfter(adapter, channel, admitWishes(adapter, channel, wishes));
    const from = adapter.expectedNext(channel, state)?.agent_id;
    if (from === undefined || adapter.reassign === undefined) return;
    const to = adapter.reassign(channel, state, from);
    if (to === null) return;
    expect(to).not.toBe(from);
    expect(findParticipant(channel, to)).toBeDefined();
    const envelope = createEnvelope({
      envelope_id: "e".repeat(32),
      channel_id: channel.channel_id,
      sender_id: channel.creator_id,
      event_type: EV_TURN_REASSIGNED,
      event_data: { from, to, expectation: "turn_within" },
    });
    const next = adapter.expectedNext(channel, adapter.fold(state, envelope));
    expect(next).toEqual({ agent_id: to, triggering_envelope_id: envelope.envelope_id });
    expect(adapter.turnInput(envelope)).not.toBeNull();
  });
  fc.assert(property, { numRuns: runs });
}

/** Runs it; whatever it throws must be a ProtocolError with a message. */
export function expectProtocolError(action: () => void): void {
  try {
    action();
  } catch (error) {
    expect(isNetworkError(error) && error.code, String(error)).toBe("protocol_error");
    expect(error).toHaveProperty("message", expect.stringMatching(/\S/));
  }
}

function stateAfter(
  adapter: ChannelAdapter,
  channel: ChannelMetadata,
  course: readonly Envelope[],
): unknown {
  return foldAll(adapter, adapter.initialState(channel), course);
}
