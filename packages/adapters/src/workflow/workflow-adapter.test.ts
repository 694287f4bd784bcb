import {
  type Envelope,
  EV_CONTEXT_SET,
  EV_PACKET,
  handoff,
  ProtocolError,
  type Round,
} from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope, playCourse } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { always, contextEquals, fromSpeaker, toolCalled } from "../graph/conditions.js";
import { roundRobinGraph, sequenceGraph } from "../graph/graph-factories.js";
import { agentTarget, stayTarget } from "../graph/targets.js";
import { type TransitionGraph, transition } from "../graph/transition-graph.js";
import type { WorkflowState } from "./state.js";
import { createWorkflowAdapter } from "./workflow-adapter.js";

const [A, B, C] = ["agent-a", "agent-b", "agent-c"] as const;
const adapter = createWorkflowAdapter();
const open = (
  graph: unknown,
  knobs: Record<string, unknown> = {},
  ids: readonly string[] = [A, B, C],
) => fakeChannel(adapter.manifest, ids, { graph, ...knobs });
const rotation = open(roundRobinGraph([A, B, C]));
const text = (sender: string, fields: Partial<Envelope> = {}) =>
  fakeEnvelope(rotation, sender, fields);
const packet = (sender: string, event_data: Record<string, unknown>) =>
  fakeEnvelope(rotation, sender, { event_type: EV_PACKET, event_data });
const context = (sender: string, event_data: Record<string, unknown>) =>
  fakeEnvelope(rotation, sender, { event_type: EV_CONTEXT_SET, event_data });

describe("opening a workflow", () => {
  it("N-064 needs a graph", () => {
    const without = fakeChannel(adapter.manifest, [A, B]);
    expect(() => adapter.validateCreate(without)).toThrow(ProtocolError);
    expect(() => adapter.validateCreate(without)).toThrow(/graph/);
    expect(adapter.knobs.safeParse({}).error?.issues[0]?.path).toEqual(["graph"]);
    expect(() => adapter.initialState(without)).toThrow(ProtocolError);
  });

  it("refuses one participant, and a graph that does not load, with the loader's words", () => {
    expect(() => adapter.validateCreate(open(sequenceGraph([A]), {}, [A]))).toThrow(/at least 2/);
    const unknown = { initial_speaker: A, default_target: { name: "nowhere" } };
    expect(() => adapter.validateCreate(open(unknown))).toThrow(ProtocolError);
    expect(() => adapter.validateCreate(open(unknown))).toThrow(/no transition target.*'nowhere'/);
    expect(() => adapter.initialState(open(unknown))).toThrow(ProtocolError);
    expect(() => adapter.validateCreate(open({}))).toThrow(/graph.*initial_speaker/);
  });

  it.each<[string, Partial<TransitionGraph>]>([
    ["initial speaker", { initial_speaker: "agent-x" }],
    ["target", { transitions: [transition(always(), agentTarget("agent-x"))] }],
    ["condition", { transitions: [transition(fromSpeaker("agent-x"), stayTarget())] }],
    ["default target", { default_target: agentTarget("agent-x") }],
  ])("F-017 refuses a graph whose %s takes no part, and names it", (_what, wrong) => {
    const channel = open({ ...roundRobinGraph([A]), ...wrong });
    expect(() => adapter.validateCreate(channel)).toThrow(ProtocolError);
    expect(() => adapter.validateCreate(channel)).toThrow(/'agent-x'.*'agent-a', 'agent-b'/);
  });

  it("starts with the graph's speaker and the knob's variables", () => {
    const graph = { ...sequenceGraph([B, C]) };
    const state = adapter.initialState(open(graph, { context_vars: { lang: "en" } }));
    expect(state).toEqual({
      participant_order: [A, B, C],
      expected_next_speaker: B,
      last_speaker_id: null,
      last_envelope_id: null,
      turn_count: 0,
      automatic_turns: 0,
      pending_close_reason: "",
      creator_id: A,
      graph_data: graph,
      context_vars: { lang: "en" },
      allow_repeat_speaker: true,
    });
  });

  it("F-010 refuses variables that could reach a prototype", () => {
    for (const json of ['{"__proto__":{"x":1}}', '{"a":[{"__proto__":1}]}']) {
      const channel = open(roundRobinGraph([A]), { context_vars: JSON.parse(json) });
      expect(() => adapter.validateCreate(channel)).toThrow(/context_vars.*__proto__/);
      expect(Reflect.get({}, "x")).toBeUndefined();
    }
    const plain = open(roundRobinGraph([A]), { context_vars: { constructor: 1, toString: 2 } });
    expect(() => adapter.validateCreate(plain)).not.toThrow();
    expect(Object.entries(adapter.initialState(plain).context_vars)).toEqual([
      ["constructor", 1],
      ["toString", 2],
    ]);
  });

  it("N-114 shows a named window by default", () => {
    const view = { name: "named_windowed_summary", args: { recent_n: 6 } };
    expect(adapter.defaultView(rotation, B)).toEqual(view);
  });

  it("never offers say", () => {
    const turn = {
      channelId: rotation.channel_id,
      agentId: A,
      post: () => Promise.resolve("id"),
      resolveName: () => Promise.resolve(null),
    };
    expect(adapter.toolsFor(turn, rotation, adapter.initialState(rotation), A)).toEqual([]);
  });
});

describe("taking turns", () => {
  it("refuses whoever is not expected, by name", () => {
    const state = adapter.initialState(rotation);
    for (const envelope of [text(B), packet(C, {})]) {
      const send = () => adapter.validateSend(rotation, envelope, state);
      expect(send).toThrow(ProtocolError);
      expect(send).toThrow(`expects '${A}' to speak`);
    }
    const gone = { ...state, expected_next_speaker: null };
    expect(() => adapter.validateSend(rotation, text(B), gone)).not.toThrow();
  });

  it("awaits the expected speaker with the last turn as trigger", () => {
    const state = adapter.initialState(rotation);
    expect(adapter.expectedNext(rotation, state)).toEqual({
      agent_id: A,
      triggering_envelope_id: null,
    });
    const { state: next } = playCourse(adapter, rotation, [text(A, { envelope_id: "e1" })]);
    expect(adapter.expectedNext(rotation, next)).toEqual({
      agent_id: B,
      triggering_envelope_id: "e1",
    });
    expect(adapter.expectedNext(rotation, { ...next, expected_next_speaker: null })).toBeNull();
  });

  it("N-082 N-084 a sequence ends by itself, also where its cap is reached", () => {
    const channel = open(sequenceGraph([A, B, C]));
    expect(playCourse(adapter, channel, [text(A), text(B)]).closed).toBeNull();
    expect(playCourse(adapter, channel, [text(A), text(B), text(C)])).toMatchObject({
      closed: "sequence_complete",
      state: { turn_count: 3, expected_next_speaker: null },
    });
  });

  it("N-085 F-033 a cap on turns ends a graph that never ends itself", () => {
    for (const cap of [1, 2, 5]) {
      const channel = open(roundRobinGraph([A, B, C], cap));
      const course = [A, B, C, A, B].slice(0, cap).map((id) => text(id));
      expect(playCourse(adapter, channel, course.slice(0, -1)).closed).toBeNull();
      const { state, closed } = playCourse(adapter, channel, course);
      expect(closed).toBe("max_turns");
      expect(state.turn_count).toBe(cap);
    }
    const six = open(roundRobinGraph([A, B, C], 6));
    const course = [A, B, C, A, B, C].map((id) => text(id));
    expect(playCourse(adapter, six, course).closed).toBe("max_turns");
  });

  it("F-033 the count of turns survives a snapshot", () => {
    const channel = open(roundRobinGraph([A, B, C], 5));
    const { state } = playCourse(adapter, channel, [text(A), text(B)]);
    const restarted = createWorkflowAdapter();
    let restored = JSON.parse(JSON.stringify(state)) as WorkflowState;
    const closes = [text(C), text(A), text(B)].map((envelope) => {
      restored = restarted.fold(restored, envelope);
      return restarted.onAccepted(channel, envelope, restored).close;
    });
    expect(closes).toEqual([undefined, undefined, "max_turns"]);
  });

  it("F-022 answers without end close at the hub's own cap, which names itself", () => {
    const sticky = {
      ...roundRobinGraph([A, B, C]),
      transitions: [transition(contextEquals("go", true), stayTarget())],
    };
    for (const graph of [roundRobinGraph([A, B, C]), sticky]) {
      const channel = open(graph, { context_vars: { go: true } });
      let state = adapter.initialState(channel);
      let turns = 0;
      let close: string | undefined;
      while (close === undefined && turns < 2000) {
        const sender = adapter.expectedNext(channel, state)?.agent_id ?? "";
        const envelope = text(sender, { causation_id: turns === 0 ? null : "1" });
        state = adapter.fold(state, envelope);
        close = adapter.onAccepted(channel, envelope, state).close;
        turns += 1;
      }
      expect(close).toBe("loop_guard");
      expect(turns).toBe(1001);
    }
    const short = open(roundRobinGraph([A, B, C]), { loop_guard: 1 });
    const answer = text(B, { causation_id: "1" });
    expect(playCourse(adapter, short, [text(A), answer]).closed).toBe("loop_guard");
  });

  it("F-028 the kickoff is the first speaker's turn", () => {
    const graph = {
      ...sequenceGraph([A]),
      transitions: [transition(fromSpeaker(A), agentTarget(B))],
      max_turns: null,
    };
    const { state } = playCourse(adapter, open(graph), [text(A, { envelope_id: "kick" })]);
    expect(state.turn_count).toBe(1);
    expect(adapter.expectedNext(open(graph), state)).toEqual({
      agent_id: B,
      triggering_envelope_id: "kick",
    });
    expect(adapter.turnInput(text(A))).toBe(`${A} speaks`);
  });
});

describe("context variables", () => {
  const after = (...course: Envelope[]) => playCourse(adapter, rotation, course).state;

  it("N-066 are set by a context event", () => {
    const { context_vars } = after(context(A, { set: { p: 1, t: { deep: [true] } } }));
    expect(context_vars).toEqual({ p: 1, t: { deep: [true] } });
  });

  it("N-067 are deleted and set by one event", () => {
    const state = after(
      context(A, { set: { p: 1, t: 2 } }),
      context(B, { delete: ["t"], set: { r: true } }),
    );
    expect(state.context_vars).toEqual({ p: 1, r: true });
  });

  it("N-068 N-069 may be set out of turn, and take no turn", () => {
    const before = adapter.initialState(rotation);
    const state = after(context(B, { set: { p: 1 } }));
    expect(state.context_vars).toEqual({ p: 1 });
    expect(state).toEqual({ ...before, context_vars: { p: 1 } });
    const stranger = context("agent-x", { set: {} });
    expect(() => adapter.validateSend(rotation, stranger, before)).toThrow(ProtocolError);
  });

  it("N-079 are applied before the next speaker is chosen", () => {
    const graph = {
      ...sequenceGraph([A]),
      transitions: [
        transition(contextEquals("category", "billing"), agentTarget(B)),
        transition(contextEquals("category", "technical"), agentTarget(C)),
      ],
      max_turns: null,
    };
    const update = { context_updates: { set: { category: "technical" }, delete: [] } };
    const { state } = playCourse(adapter, open(graph), [packet(A, update)]);
    expect(state.context_vars).toEqual({ category: "technical" });
    expect(state.expected_next_speaker).toBe(C);
  });

  it("F-024 a key that is deleted and set at once has its new value in the same step", () => {
    const graph = {
      ...sequenceGraph([A]),
      transitions: [
        transition(contextEquals("never", null), agentTarget(C), 1),
        transition(contextEquals("route", "new"), agentTarget(B)),
      ],
      max_turns: null,
    };
    const both = { set: { route: "new" }, delete: ["route"] };
    const vars = { context_vars: { route: "old" } };
    const byEvent = playCourse(adapter, open(graph, vars), [context(C, both), packet(A, {})]);
    const byPacket = playCourse(adapter, open(graph, vars), [packet(A, { context_updates: both })]);
    for (const { state } of [byEvent, byPacket]) {
      expect(state.context_vars).toEqual({ route: "new" });
      expect(state.expected_next_speaker).toBe(B);
    }
    const { state } = playCourse(adapter, open(graph, vars), [packet(A, {})]);
    expect(state.expected_next_speaker).toBe(C);
  });

  it("F-025 the later of two updates decides, live and on replay", () => {
    const course = [context(B, { set: { v: "b" } }), context(C, { set: { v: "c" } })];
    expect(after(...course).context_vars).toEqual({ v: "c" });
    expect(after(...[...course].reverse()).context_vars).toEqual({ v: "b" });
    expect(after(...course)).toEqual(after(...course));
  });

  it("F-010 are plain data under any name, and never a prototype", () => {
    const state = adapter.initialState(rotation);
    const forbidden = JSON.parse('{"set":{"__proto__":{"x":1}}}');
    const nested = JSON.parse('{"set":{"a":{"__proto__":{"x":1}}}}');
    for (const event_data of [forbidden, nested]) {
      const send = () => adapter.validateSend(rotation, context(A, event_data), state);
      expect(send).toThrow(ProtocolError);
      expect(send).toThrow(/__proto__/);
      const packed = packet(A, { context_updates: event_data });
      expect(() => adapter.validateSend(rotation, packed, state)).toThrow(
        /context_updates.*__proto__/,
      );
      const other = packet(A, { context: event_data.set });
      expect(() => adapter.validateSend(rotation, other, state)).toThrow(/context.*__proto__/);
    }
    const folded = adapter.fold(state, context(A, forbidden));
    expect(Object.getPrototypeOf(folded.context_vars)).toBe(Object.prototype);
    expect(Object.keys(folded.context_vars)).toEqual([]);
    expect(Reflect.get({}, "x")).toBeUndefined();
    const named = after(context(A, { set: { constructor: 1, toString: 2 } }));
    expect(Object.entries(named.context_vars)).toEqual([
      ["constructor", 1],
      ["toString", 2],
    ]);
    const emptied = adapter.fold(named, context(A, { delete: ["constructor", "valueOf"] }));
    expect(Object.keys(emptied.context_vars)).toEqual(["toString"]);
  });

  it("refuse a packet whose context is no object", () => {
    const state = adapter.initialState(rotation);
    const wrong = packet(A, { context: ["x"] });
    expect(() => adapter.validateSend(rotation, wrong, state)).toThrow(/event_data\.context/);
    expect(() => adapter.validateSend(rotation, packet(A, { context: null }), state)).not.toThrow();
  });

  // A departure: there is one spelling, `context_updates`; `context` is read as well (section 8).
  it("N-091 go with a packet under context_updates, and are folded", () => {
    const given = { channelId: rotation.channel_id, senderId: A, body: "done" };
    const draft = adapter.packetEnvelope({ ...given, contextSet: { stage: 2 } });
    expect(draft.event_type).toBe(EV_PACKET);
    expect(draft.event_data).toEqual({
      body: "done",
      context_updates: { set: { stage: 2 }, delete: [] },
    });
    expect(after(packet(A, draft.event_data)).context_vars).toEqual({ stage: 2 });
    const bare = adapter.packetEnvelope({ ...given, contextSet: {} });
    expect(bare.event_data).toEqual({ body: "done" });
  });

  it("are read under context too, last of all", () => {
    const { context_vars } = after(
      packet(A, {
        ...{ body: "done", context: { stage: 2 } },
        context_updates: { set: { stage: 1, x: 1 }, delete: ["x"] },
      }),
    );
    expect(context_vars).toEqual({ stage: 2, x: 1 });
  });
});

describe("packets and rounds", () => {
  it("N-090 a packet carries its handoff", () => {
    const given = { channelId: rotation.channel_id, senderId: A, body: "over to you" };
    const draft = adapter.packetEnvelope({ ...given, handoff: handoff(B, "knows it") });
    expect(draft.event_type).toBe(EV_PACKET);
    expect(draft.event_data["body"]).toBe("over to you");
    expect(draft.event_data["routing"]).toEqual({ kind: "handoff", target: B, reason: "knows it" });
    const bare = adapter.packetEnvelope({ ...given, handoff: handoff(B), causationId: "e1" });
    expect(bare.event_data["routing"]).toEqual({ kind: "handoff", target: B });
    expect(bare).toMatchObject({ audience: null, causation_id: "e1" });
  });

  const round: Round<WorkflowState> = {
    channelId: rotation.channel_id,
    senderId: A,
    body: "answer",
    events: [],
    state: adapter.initialState(rotation),
    knobs: {},
    trigger: text(C, { envelope_id: "e9" }),
    alreadySpoke: false,
    resolveName: (name) => (name === "bob" ? B : null),
  };

  it("a round ends in a packet with its routing", () => {
    const events = [
      { type: "tool_call", id: "1", name: "pass_on", arguments: {} },
      { type: "tool_result", id: "1", result: handoff("bob", "yours") },
    ] as const;
    expect(adapter.roundEnvelope({ ...round, events, body: " " })).toEqual({
      channel_id: rotation.channel_id,
      sender_id: A,
      audience: null,
      event_type: EV_PACKET,
      event_data: {
        routing: { kind: "handoff", tool: "pass_on", reason: "yours", target: B },
        context_updates: { set: {}, delete: [] },
        body: "",
      },
      causation_id: "e9",
    });
    expect(adapter.roundEnvelope(round)?.event_data).toMatchObject({
      routing: { kind: "text" },
      body: "answer",
    });
    expect(adapter.roundEnvelope({ ...round, alreadySpoke: true })).toBeNull();
  });

  it("a silent round passes, or waits where the knob says so", () => {
    const silent = { ...round, body: "" };
    expect(adapter.roundEnvelope(silent)?.event_data).toEqual({
      routing: { kind: "text" },
      context_updates: { set: {}, delete: [] },
      body: "",
    });
    expect(adapter.roundEnvelope({ ...silent, knobs: { on_silence: "wait" } })).toBeNull();
  });

  it("a client without the graph's own targets still ends its round", () => {
    const graph_data = { initial_speaker: A, default_target: { name: "only_at_the_hub" } };
    const events = [{ type: "tool_call", id: "1", name: "t", arguments: {} }] as const;
    const draft = adapter.roundEnvelope({
      ...round,
      events,
      state: { ...round.state, graph_data },
    });
    expect(draft?.event_data["routing"]).toEqual({ kind: "text" });
  });

  it("a tool that a rule names hands off by the graph", () => {
    const graph = {
      ...roundRobinGraph([A]),
      transitions: [transition(toolCalled("t"), agentTarget(C))],
    };
    const channel = open(graph);
    const events = [{ type: "tool_call", id: "1", name: "t", arguments: { reason: "r" } }] as const;
    const draft = adapter.roundEnvelope({ ...round, events, state: adapter.initialState(channel) });
    expect(draft?.event_data["routing"]).toEqual({ kind: "handoff", tool: "t", reason: "r" });
    const { state } = playCourse(adapter, channel, [packet(A, draft?.event_data ?? {})]);
    expect(state.expected_next_speaker).toBe(C);
  });
});
