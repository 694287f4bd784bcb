import { EV_PACKET, EV_TEXT, WorkflowGraphError } from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { workflowManifest } from "../workflow/manifest.js";
import { always, contextEquals, fromSpeaker, toolCalled } from "./conditions.js";
import { dumpGraph } from "./dump-graph.js";
import { roundRobinGraph, sequenceGraph } from "./graph-factories.js";
import { loadGraph } from "./load-graph.js";
import { closes, type RoutingState, speaks } from "./routing-context.js";
import { defineCondition, defineTarget } from "./step-types.js";
import {
  agentTarget,
  revertToInitiator,
  roundRobinTarget,
  stayTarget,
  terminateTarget,
} from "./targets.js";
import { type ConditionSpec, type TargetSpec, transition } from "./transition-graph.js";
import { createTransitionRegistry } from "./transition-registry.js";

const [A, B, C] = ["agent-a", "agent-b", "agent-c"] as const;
const channel = fakeChannel(workflowManifest, [A, B, C]);
/** Key of a rule in JSON; spelt like this, no object here looks like a promise. */
const THEN = "then";
const registry = createTransitionRegistry();
const base: RoutingState = {
  participant_order: [A, B, C],
  last_speaker_id: B,
  creator_id: A,
  turn_count: 1,
  context_vars: {},
};

const resolve = (target: TargetSpec, state: Partial<RoutingState> = {}) =>
  registry
    .target(target)
    .resolve({ envelope: fakeEnvelope(channel, B), state: { ...base, ...state } });
const packet = (event_data: Record<string, unknown>, event_type = EV_PACKET) =>
  fakeEnvelope(channel, B, { event_type, event_data });
const holds = (condition: ConditionSpec, envelope = packet({}), vars: object = {}) =>
  registry.condition(condition).holds({ envelope, state: { ...base, context_vars: { ...vars } } });

describe("targets", () => {
  it("N-053 an agent target gives that agent", () => {
    expect(resolve(agentTarget(B))).toEqual({ next_speaker: B, close_reason: null });
  });

  it("N-054 round robin goes on in order, and round", () => {
    expect(resolve(roundRobinTarget(), { last_speaker_id: A }).next_speaker).toBe(B);
    expect(resolve(roundRobinTarget(), { last_speaker_id: C }).next_speaker).toBe(A);
    expect(resolve(roundRobinTarget(), { last_speaker_id: "agent-x" }).next_speaker).toBe(A);
  });

  it("N-055 round robin without participants closes", () => {
    const decision = { next_speaker: null, close_reason: "no_participants" };
    expect(resolve(roundRobinTarget(), { participant_order: [] })).toEqual(decision);
  });

  it("N-056 revert to initiator gives the creator", () => {
    expect(resolve(revertToInitiator(), { last_speaker_id: B }).next_speaker).toBe(A);
  });

  it("N-057 terminate closes with its reason", () => {
    expect(resolve(terminateTarget("enough"))).toEqual({
      next_speaker: null,
      close_reason: "enough",
    });
    expect(resolve({ name: "terminate", args: {} }).close_reason).toBe("after_work");
    expect(terminateTarget().args).toEqual({ reason: "after_work" });
  });

  it("stay gives the last speaker", () => {
    expect(resolve(stayTarget()).next_speaker).toBe(B);
    expect(resolve(stayTarget(), { last_speaker_id: null }).next_speaker).toBe(A);
  });
});

describe("conditions", () => {
  it("N-058 from speaker looks at the sender", () => {
    expect(holds(fromSpeaker(B), fakeEnvelope(channel, B))).toBe(true);
    expect(holds(fromSpeaker(B), fakeEnvelope(channel, A))).toBe(false);
    expect(holds(always())).toBe(true);
  });

  it("N-059 tool called looks at a packet's routing", () => {
    const called = packet({ routing: { kind: "handoff", tool: "t" } });
    expect(holds(toolCalled("t"), called)).toBe(true);
    expect(holds(toolCalled("u"), called)).toBe(false);
    const text = { text: "", routing: { tool: "t" } };
    expect(holds(toolCalled("t"), packet(text, EV_TEXT))).toBe(false);
    for (const routing of [null, 5, ["t"], {}]) {
      expect(holds(toolCalled("t"), packet({ routing }))).toBe(false);
    }
  });

  it("context equals compares JSON by structure", () => {
    const value = { b: [1, { c: null }], a: true };
    const vars = { route: { a: true, b: [1, { c: null }] } };
    expect(holds(contextEquals("route", value), packet({}), vars)).toBe(true);
    expect(holds(contextEquals("route", { ...value, d: 1 }), packet({}), vars)).toBe(false);
    expect(holds(contextEquals("route", [1]), packet({}), { route: [1, 2] })).toBe(false);
    expect(holds(contextEquals("route", [1]), packet({}), { route: { 0: 1 } })).toBe(false);
    expect(holds(contextEquals("route", { 0: 1 }), packet({}), { route: [1] })).toBe(false);
    expect(holds(contextEquals("route", "1"), packet({}), { route: 1 })).toBe(false);
  });

  it("F-010 F-024 a variable that was never set is null, whatever it is called", () => {
    for (const key of ["route", "constructor", "toString", "__proto__"]) {
      expect(holds(contextEquals(key, null))).toBe(true);
      expect(holds(contextEquals(key, "x"))).toBe(false);
    }
    expect(holds(contextEquals("toString", "x"), packet({}), { toString: "x" })).toBe(true);
    expect(holds(contextEquals("a", { b: undefined }), packet({}), { a: {} })).toBe(false);
    const inherited = { name: "context_equals", args: { key: "a", value: { toString: null } } };
    expect(holds(inherited, packet({}), { a: { x: null } })).toBe(false);
  });
});

describe("graphs as JSON", () => {
  const raise = defineTarget({
    name: "raise",
    args: z.strictObject({ to: z.string() }),
    agents: ({ to }) => [to],
    resolve: ({ to }) => speaks(to),
  });
  const custom = {
    initial_speaker: A,
    transitions: [
      {
        when: { name: "always", args: {} },
        [THEN]: { name: "raise", args: { to: B } },
        priority: 0,
      },
    ],
    default_target: { name: "terminate", args: { reason: "done" } },
    max_turns: null,
  };

  it("N-052 a custom target loads where it is registered and nowhere else", () => {
    const own = createTransitionRegistry({ targets: [raise] });
    const graph = loadGraph(custom, own);
    expect(graph.transitions[0]?.then).toEqual({ name: "raise", args: { to: B } });
    expect(own.target({ name: "raise", args: { to: B } }).agents).toEqual([B]);
    const load = () => loadGraph(custom, createTransitionRegistry());
    expect(load).toThrow(WorkflowGraphError);
    expect(load).toThrow(/'raise'/);
  });

  it("N-060 a graph survives its JSON form", () => {
    const graph = {
      initial_speaker: A,
      transitions: [
        transition(toolCalled("escalate"), agentTarget(B), 1),
        transition(fromSpeaker(B), stayTarget(), 0),
        transition(always(), roundRobinTarget()),
      ],
      default_target: terminateTarget("over"),
      max_turns: 10,
    };
    for (const json of [dumpGraph(graph), JSON.parse(dumpGraph(graph))]) {
      const loaded = loadGraph(json);
      expect(loaded.initial_speaker).toBe(A);
      expect(loaded.max_turns).toBe(10);
      expect(loaded.default_target).toEqual(terminateTarget("over"));
      expect(loaded.transitions).toHaveLength(3);
      expect(loaded.transitions.map(({ priority }) => priority)).toEqual([1, 0, 0]);
      expect(loaded.transitions[0]?.when.args).toEqual({ tool_name: "escalate" });
      expect(loaded).toEqual(graph);
    }
  });

  it("N-061 an unknown default target is refused by its name", () => {
    const graph = { ...custom, transitions: [], default_target: { name: "nowhere" } };
    expect(() => loadGraph(graph)).toThrow(WorkflowGraphError);
    expect(() => loadGraph(graph)).toThrow(/no transition target.*'nowhere'/);
  });

  it("fills in what a graph may leave out", () => {
    const rule = { when: { name: "always" }, [THEN]: { name: "stay" } };
    expect(loadGraph({ initial_speaker: A, transitions: [rule], default_target: null })).toEqual({
      initial_speaker: A,
      transitions: [transition(always(), stayTarget())],
      default_target: terminateTarget("after_work"),
      max_turns: null,
    });
    expect(loadGraph({ initial_speaker: A }).transitions).toEqual([]);
  });

  it.each([
    ["no object", 5, /graph/],
    ["broken text", "{", /not valid JSON/],
    ["no initial speaker", {}, /initial_speaker/],
    ["a misspelt key", { initial_speaker: A, transition: [] }, /transition/],
    ["a cap of nothing", { initial_speaker: A, max_turns: 0 }, /max_turns/],
    [
      "an unknown condition",
      rules({ when: { name: "maybe" } }),
      /no transition condition.*'maybe'/,
    ],
    ["missing arguments", rules({ [THEN]: { name: "agent" } }), /target 'agent'.*agent_id/],
    ["wrong arguments", rules({ when: { name: "always", args: { x: 1 } } }), /condition 'always'/],
    ["a priority in words", rules({ priority: "high" }), /priority/],
    ["a forbidden key", '{"initial_speaker":"a","__proto__":{}}', /__proto__/],
  ])("refuses %s with an error that says so", (_what, json, message) => {
    expect(() => loadGraph(json)).toThrow(WorkflowGraphError);
    expect(() => loadGraph(json)).toThrow(message);
  });

  it("refuses two types of one name", () => {
    const again = defineCondition({ name: "always", args: z.object({}), holds: () => false });
    expect(() => createTransitionRegistry({ conditions: [again] })).toThrow(/'always'/);
    expect(() => createTransitionRegistry({ targets: [raise, raise] })).toThrow(/'raise'/);
    expect(closes("x")).toEqual({ next_speaker: null, close_reason: "x" });
  });
});

describe("graph factories", () => {
  it("N-062 round robin has one rule and starts with the first", () => {
    const graph = roundRobinGraph([A, B, C], 6);
    expect(graph).toMatchObject({ initial_speaker: A, max_turns: 6 });
    expect(graph.transitions).toEqual([transition(always(), roundRobinTarget())]);
    expect(roundRobinGraph([A]).max_turns).toBeNull();
  });

  it("N-063 a sequence has one rule per step", () => {
    const graph = sequenceGraph([A, B, C]);
    expect(graph).toMatchObject({ initial_speaker: A, max_turns: 3 });
    expect(graph.transitions).toEqual([
      transition(fromSpeaker(A), agentTarget(B)),
      transition(fromSpeaker(B), agentTarget(C)),
    ]);
  });

  it("give graphs that load, and none for nobody", () => {
    for (const graph of [roundRobinGraph([A, B]), sequenceGraph([A])]) {
      expect(loadGraph(graph)).toEqual(graph);
    }
    expect(() => roundRobinGraph([])).toThrow(WorkflowGraphError);
    expect(() => sequenceGraph([])).toThrow(WorkflowGraphError);
  });
});

function rules(rule: object) {
  const whole = { when: { name: "always" }, [THEN]: { name: "stay" }, ...rule };
  return { initial_speaker: A, transitions: [whole] };
}
