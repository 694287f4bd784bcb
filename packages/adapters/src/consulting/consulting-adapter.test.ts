import {
  type ChannelMetadata,
  EV_CHANNEL_OPENED,
  EV_TEXT,
  ProtocolError,
} from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope, playCourse } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { PASSED_TURN_INPUT } from "../text/turn-input.js";
import { createConsultingAdapter } from "./consulting-adapter.js";

const A = "agent-a";
const B = "agent-b";
const adapter = createConsultingAdapter();
const channel = fakeChannel(adapter.manifest, [A, B]);
const question = fakeEnvelope(channel, A, { envelope_id: "q" });
const answer = fakeEnvelope(channel, B, { envelope_id: "r" });
const complete = { initiator_sent: true, respondent_replied: true, last_envelope_id: "r" };
const turn = (agentId: string) => ({
  channelId: channel.channel_id,
  agentId,
  post: () => Promise.resolve("id"),
  resolveName: () => Promise.resolve(null),
});

describe("consulting", () => {
  it("N-034 is refused with three participants, one of them a plain one", () => {
    const [first, second] = channel.participants;
    if (first === undefined || second === undefined) throw new Error("two members expected");
    const third = { ...second, agent_id: "agent-c", role: "participant" as const, order: 2 };
    const three = { ...channel, participants: [first, second, third] };
    expect(() => adapter.validateCreate(three)).toThrow(ProtocolError);
    expect(() => adapter.validateCreate(three)).toThrow(/exactly 2/);
  });

  it.each([
    ["initiator", /exactly one initiator/],
    ["respondent", /exactly one respondent/],
  ])("is refused without %s", (role, message) => {
    const others = channel.participants.filter((member) => member.role !== role);
    const wrong: ChannelMetadata = { ...channel, participants: others };
    expect(() => adapter.validateCreate(wrong)).toThrow(message);
  });

  it("N-035 refuses a text once both sides have spoken", () => {
    const more = fakeEnvelope(channel, A);
    expect(() => adapter.validateSend(channel, more, complete)).toThrow(ProtocolError);
    expect(() => adapter.validateSend(channel, more, complete)).toThrow(/already complete/);
  });

  it("refuses an answer before the question, and a second question", () => {
    const initial = adapter.initialState(channel);
    expect(() => adapter.validateSend(channel, answer, initial)).toThrow(/initiator/);
    const asked = adapter.fold(initial, question);
    expect(() => adapter.validateSend(channel, question, asked)).toThrow(/respondent '[^']*' to/);
  });

  it("N-036 closes with consulting_complete after the answer", () => {
    expect(adapter.onAccepted(channel, answer, complete)).toEqual({ close: "consulting_complete" });
    expect(playCourse(adapter, channel, [question]).closed).toBeNull();
    expect(playCourse(adapter, channel, [question, answer])).toEqual({
      state: complete,
      closed: "consulting_complete",
    });
  });

  it("awaits the initiator, then the respondent, then nobody", () => {
    const initial = adapter.initialState(channel);
    const asked = adapter.fold(initial, question);
    expect(adapter.expectedNext(channel, initial)).toEqual({
      agent_id: A,
      triggering_envelope_id: null,
    });
    expect(adapter.expectedNext(channel, asked)).toEqual({
      agent_id: B,
      triggering_envelope_id: "q",
    });
    expect(adapter.expectedNext(channel, complete)).toBeNull();
    expect(adapter.fold(complete, fakeEnvelope(channel, A))).toBe(complete);
  });

  it("N-086 offers say to whoever has the floor", () => {
    const initial = adapter.initialState(channel);
    const asked = adapter.fold(initial, question);
    const offered = (state: typeof initial) =>
      [A, B].map((id) => adapter.toolsFor(turn(id), channel, state, id).map(({ name }) => name));
    expect(offered(initial)).toEqual([["say"], []]);
    expect(offered(asked)).toEqual([[], ["say"]]);
    expect(offered(complete)).toEqual([[], []]);
  });

  it("N-115 shows the full transcript by default", () => {
    expect(adapter.defaultView(channel, A)).toEqual({ name: "full_transcript", args: {} });
  });

  it("shows what the knob view says, to everybody or to some", () => {
    const view = { name: "named_transcript", args: {} };
    const forAll = { ...channel, knobs: { view } };
    expect(adapter.defaultView(forAll, A)).toEqual(view);
    const forB = { ...channel, knobs: { view: { participants: { [B]: { name: "mine" } } } } };
    expect(adapter.defaultView(forB, B)).toEqual({ name: "mine", args: {} });
    expect(adapter.defaultView(forB, A).name).toBe("full_transcript");
    const forNobody = { ...channel, knobs: { view: { participants: { nobody: view } } } };
    expect(() => adapter.validateCreate(forNobody)).toThrow(/view\.participants names 'nobody'/);
  });

  it("ends a round with a text, with a pass, or with nothing", () => {
    const state = adapter.fold(adapter.initialState(channel), question);
    const round = {
      channelId: channel.channel_id,
      senderId: B,
      body: "42",
      events: [],
      state,
      knobs: {},
      trigger: question,
      alreadySpoke: false,
      resolveName: () => null,
    };
    expect(adapter.roundEnvelope(round)).toEqual({
      channel_id: channel.channel_id,
      sender_id: B,
      audience: null,
      event_type: EV_TEXT,
      event_data: { text: "42" },
      causation_id: "q",
    });
    expect(adapter.roundEnvelope({ ...round, alreadySpoke: true })).toBeNull();
    const silent = { ...round, body: " \n" };
    expect(adapter.roundEnvelope(silent)?.event_data).toEqual({ text: "" });
    expect(adapter.roundEnvelope({ ...silent, knobs: { on_silence: "wait" } })).toBeNull();
  });

  it("F-038 shows nothing of a blank text, but gives the other side its turn", () => {
    const blank = fakeEnvelope(channel, A, { event_data: { text: " \u200b" } });
    expect(adapter.renderEnvelope(blank)).toBeNull();
    expect(adapter.turnInput(blank)).toBe(PASSED_TURN_INPUT);
    const opened = fakeEnvelope(channel, A, { event_type: EV_CHANNEL_OPENED });
    expect(adapter.renderEnvelope(opened)).toBeNull();
    expect(adapter.turnInput(opened)).toBeNull();
  });
});
