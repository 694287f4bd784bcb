import { ProtocolError } from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope, playCourse } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { PASSED_TURN_INPUT } from "../text/turn-input.js";
import { createDiscussionAdapter } from "./discussion-adapter.js";

const A = "agent-a";
const B = "agent-b";
const C = "agent-c";
const adapter = createDiscussionAdapter();
const channel = fakeChannel(adapter.manifest, [A, B, C]);
const initial = adapter.initialState(channel);
const turn = (agentId: string) => ({
  channelId: channel.channel_id,
  agentId,
  post: () => Promise.resolve("id"),
  resolveName: () => Promise.resolve(null),
});

describe("discussion", () => {
  it("N-045 is refused with its creator alone", () => {
    const alone = fakeChannel(adapter.manifest, [A]);
    expect(() => adapter.validateCreate(alone)).toThrow(ProtocolError);
    expect(() => adapter.validateCreate(alone)).toThrow(/at least 2/);
  });

  it("is refused when its creator takes no part", () => {
    const foreign = { ...channel, creator_id: "agent-x" };
    expect(() => adapter.validateCreate(foreign)).toThrow(/creator 'agent-x'/);
  });

  it("N-046 refuses a text out of turn and says whose turn it is", () => {
    const send = () => adapter.validateSend(channel, fakeEnvelope(channel, B), initial);
    expect(send).toThrow(ProtocolError);
    expect(send).toThrow(`expects '${A}' to speak`);
  });

  it("N-048 refuses an ordering that it does not know", () => {
    const dynamic = fakeChannel(adapter.manifest, [A, B], { ordering: "dynamic" });
    expect(() => adapter.validateCreate(dynamic)).toThrow(ProtocolError);
    expect(() => adapter.validateCreate(dynamic)).toThrow(/ordering.*round_robin/);
    const parsed = adapter.knobs.safeParse({ ordering: "dynamic" });
    expect(parsed.error?.issues[0]?.path).toEqual(["ordering"]);
    const known = fakeChannel(adapter.manifest, [A, B], { ordering: "round_robin" });
    expect(() => adapter.validateCreate(known)).not.toThrow();
  });

  it("hands the turn round", () => {
    expect(initial).toEqual({
      participant_order: [A, B, C],
      expected_next_speaker: A,
      last_speaker_id: null,
      last_envelope_id: null,
      turn_count: 0,
      automatic_turns: 0,
    });
    const next = [A, B, C].map((_id, at) => {
      const course = [A, B, C].slice(0, at + 1).map((id) => fakeEnvelope(channel, id));
      return playCourse(adapter, channel, course).state;
    });
    expect(next.map((state) => state.expected_next_speaker)).toEqual([B, C, A]);
    expect(next.at(-1)).toMatchObject({ turn_count: 3, last_speaker_id: C });
  });

  it("starts with its creator, wherever that stands in the order", () => {
    const late = { ...channel, creator_id: C };
    const state = adapter.initialState(late);
    expect(state).toMatchObject({ expected_next_speaker: C, participant_order: [A, B, C] });
    expect(adapter.fold(state, fakeEnvelope(late, C)).expected_next_speaker).toBe(A);
    expect(adapter.fold(state, fakeEnvelope(late, "agent-x"))).toBe(state);
  });

  it("N-088 offers say to the expected speaker alone", () => {
    const offered = (state: typeof initial) =>
      [A, B, C].map((id) => adapter.toolsFor(turn(id), channel, state, id).map((t) => t.name));
    expect(offered(initial)).toEqual([["say"], [], []]);
    expect(offered(adapter.fold(initial, fakeEnvelope(channel, A)))).toEqual([[], ["say"], []]);
  });

  it("shows two rounds of everybody, with names", () => {
    const view = (members: string[]) =>
      adapter.defaultView(fakeChannel(adapter.manifest, members), A);
    expect(view([A, B, C])).toEqual({ name: "named_windowed_summary", args: { recent_n: 6 } });
    expect(view([A])).toEqual({ name: "named_windowed_summary", args: { recent_n: 4 } });
  });

  it("F-038 settles a silent turn by a pass that no view shows", () => {
    const round = {
      channelId: channel.channel_id,
      senderId: A,
      events: [],
      state: initial,
      trigger: null,
      alreadySpoke: false,
      resolveName: () => null,
    };
    for (const body of ["", "  ", "\n\u00a0"]) {
      const draft = adapter.roundEnvelope({ ...round, body, knobs: {} });
      expect(draft?.event_data).toEqual({ text: "" });
      const passed = fakeEnvelope(channel, A, { event_data: draft?.event_data ?? {} });
      expect(playCourse(adapter, channel, [passed]).state.expected_next_speaker).toBe(B);
      expect(adapter.renderEnvelope(passed)).toBeNull();
      expect(adapter.turnInput(passed)).toBe(PASSED_TURN_INPUT);
      expect(adapter.roundEnvelope({ ...round, body, knobs: { on_silence: "wait" } })).toBeNull();
    }
    expect(
      adapter.roundEnvelope({ ...round, body: "x", knobs: {}, alreadySpoke: true }),
    ).toBeNull();
  });

  it("closes at its limits", () => {
    const capped = { ...channel, knobs: { max_turns: 2 } };
    const course = [A, B].map((id) => fakeEnvelope(channel, id));
    expect(playCourse(adapter, capped, course).closed).toBe("max_turns");
    const guarded = { ...channel, knobs: { loop_guard: 1 } };
    const answer = fakeEnvelope(channel, B, { causation_id: "1" });
    expect(playCourse(adapter, guarded, [fakeEnvelope(channel, A), answer]).closed).toBe(
      "loop_guard",
    );
  });
});
