import { EV_TEXT, ProtocolError } from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope, playCourse } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createConversationAdapter } from "./conversation-adapter.js";

const A = "agent-a";
const B = "agent-b";
const adapter = createConversationAdapter();
const channel = fakeChannel(adapter.manifest, [A, B]);
const say = (sender: string, id: string, causation_id: string | null = null) =>
  fakeEnvelope(channel, sender, { envelope_id: id, causation_id });

describe("conversation", () => {
  it("N-040 refuses a text from somebody who takes no part", () => {
    const state = adapter.initialState(channel);
    const stranger = fakeEnvelope(channel, "agent-x");
    const send = () => adapter.validateSend(channel, stranger, state);
    expect(send).toThrow(ProtocolError);
    expect(send).toThrow(/only accepts sends from participants/);
  });

  it("N-041 counts texts and remembers the last one", () => {
    const { state } = playCourse(adapter, channel, [say(A, "e1"), say(B, "e2"), say(A, "e3")]);
    expect(state).toMatchObject({ turn_count: 3, last_speaker_id: A, last_envelope_id: "e3" });
  });

  it("N-087 offers say to both sides", () => {
    const state = adapter.initialState(channel);
    for (const agentId of [A, B]) {
      const turn = {
        channelId: channel.channel_id,
        agentId,
        post: () => Promise.resolve("id"),
        resolveName: () => Promise.resolve(null),
      };
      const tools = adapter.toolsFor(turn, channel, state, agentId);
      expect(tools.map(({ name }) => name)).toEqual(["say"]);
    }
  });

  it("N-089 builds a text envelope for an audience", () => {
    const draft = adapter.textEnvelope({
      channelId: channel.channel_id,
      senderId: A,
      text: "hello",
      audience: [B],
    });
    expect(draft.event_type).toBe(EV_TEXT);
    expect(draft.event_data).toEqual({ text: "hello" });
    expect(draft.audience).toEqual([B]);
    expect(draft).toMatchObject({ channel_id: channel.channel_id, sender_id: A });
  });

  it("N-116 shows a window without names by default", () => {
    const view = { name: "windowed_summary", args: { recent_n: 10 } };
    expect(adapter.defaultView(channel, A)).toEqual(view);
  });

  it("awaits nobody, and posts nothing for a silent round", () => {
    const state = adapter.initialState(channel);
    expect(adapter.expectedNext(channel, state)).toBeNull();
    const round = {
      channelId: channel.channel_id,
      senderId: A,
      body: "",
      events: [],
      state,
      knobs: {},
      trigger: null,
      alreadySpoke: true,
      resolveName: () => null,
    };
    expect(adapter.roundEnvelope(round)).toBeNull();
    const spoken = adapter.roundEnvelope({ ...round, body: "and more" });
    expect(spoken?.event_data).toEqual({ text: "and more" });
    expect(adapter.turnInput(fakeEnvelope(channel, A, { event_data: { text: "" } }))).toBeNull();
  });

  it("closes at max_turns, whoever speaks", () => {
    const capped = { ...channel, knobs: { max_turns: 2 } };
    expect(playCourse(adapter, capped, [say(A, "1")]).closed).toBeNull();
    expect(playCourse(adapter, capped, [say(A, "1"), say(A, "2")]).closed).toBe("max_turns");
  });

  it("closes by its loop guard after so many answers in a row", () => {
    const guarded = { ...channel, knobs: { loop_guard: 2 } };
    const loop = [say(A, "1"), say(B, "2", "1"), say(A, "3", "2")];
    expect(playCourse(adapter, guarded, loop).closed).toBe("loop_guard");
    const broken = [say(A, "1"), say(B, "2", "1"), say(A, "3"), say(B, "4", "3")];
    const { state, closed } = playCourse(adapter, guarded, broken);
    expect(closed).toBeNull();
    expect(state.automatic_turns).toBe(1);
  });

  it("guards by 1000 answers unless told otherwise", () => {
    const at = (automatic_turns: number, knobs = {}, guarding = adapter) => {
      const state = { ...guarding.initialState(channel), turn_count: 5000, automatic_turns };
      return guarding.onAccepted({ ...channel, knobs }, say(A, "1", "0"), state).close;
    };
    expect(at(999)).toBeUndefined();
    expect(at(1000)).toBe("loop_guard");
    expect(at(5000, { loop_guard: 0 })).toBeUndefined();
    expect(at(1000, { max_turns: 6000 })).toBeUndefined();
    expect(at(3, { max_turns: 6000, loop_guard: 3 })).toBe("loop_guard");
    expect(at(7, {}, createConversationAdapter({ loopGuard: 7 }))).toBe("loop_guard");
    expect(at(5000, {}, createConversationAdapter({ loopGuard: 0 }))).toBeUndefined();
    expect(at(1, { max_turns: null })).toBeUndefined();
  });

  it("takes expectations of the hub's own", () => {
    const own = { name: "max_silence", on_violation: "auto_close", params: {}, applies_to: null };
    const changed = createConversationAdapter({ expectations: [own] });
    expect(changed.manifest.expectations).toEqual([own]);
    expect(createConversationAdapter().manifest.expectations).not.toEqual([own]);
  });
});
