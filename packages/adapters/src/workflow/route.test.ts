import { type Envelope, EV_PACKET } from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope, playCourse } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { always, fromSpeaker, toolCalled } from "../graph/conditions.js";
import { roundRobinGraph } from "../graph/graph-factories.js";
import { speaks } from "../graph/routing-context.js";
import { defineTarget } from "../graph/step-types.js";
import { agentTarget, stayTarget, terminateTarget } from "../graph/targets.js";
import { type Transition, type TransitionGraph, transition } from "../graph/transition-graph.js";
import { createWorkflowAdapter } from "./workflow-adapter.js";

const [A, B, C] = ["agent-a", "agent-b", "agent-c"] as const;
let attempts = 0;
const lastSpeaker = defineTarget({
  name: "last_speaker",
  args: z.strictObject({}),
  resolve(_args, { state }) {
    attempts += 1;
    return speaks(state.last_speaker_id ?? "");
  },
});
const ghost = defineTarget({
  name: "ghost",
  args: z.strictObject({}),
  resolve: () => speaks("nobody"),
});
const adapter = createWorkflowAdapter({ targets: [lastSpeaker, ghost] });
const graphOf = (
  transitions: Transition[],
  default_target = terminateTarget(),
): TransitionGraph => ({
  initial_speaker: A,
  transitions,
  default_target,
  max_turns: null,
});
const open = (graph: TransitionGraph, knobs: object = {}) =>
  fakeChannel(adapter.manifest, [A, B, C], { graph, ...knobs });
const packet = (sender: string, routing: object | null) =>
  fakeEnvelope(open(graphOf([])), sender, { event_type: EV_PACKET, event_data: { routing } });
const after = (graph: TransitionGraph, course: Envelope[], knobs: object = {}) =>
  playCourse(adapter, open(graph, knobs), course);

describe("route", () => {
  it("N-080 a target in the packet outranks the graph", () => {
    const graph = graphOf([transition(toolCalled("t"), agentTarget(B))]);
    const course = [packet(A, { kind: "handoff", tool: "t", target: C })];
    expect(after(graph, course).state.expected_next_speaker).toBe(C);
  });

  it("N-083 a finish ends the workflow, whatever the graph says", () => {
    const graph = roundRobinGraph([A, B, C]);
    const { state, closed } = after(graph, [packet(A, { kind: "finish", reason: "all_done" })]);
    expect(state).toMatchObject({ expected_next_speaker: null, pending_close_reason: "all_done" });
    expect(closed).toBe("all_done");
    expect(after(graph, [packet(A, { kind: "finish" })]).closed).toBe("finished");
    const capped = roundRobinGraph([A, B, C], 1);
    expect(after(capped, [packet(A, { kind: "finish", reason: "x" })]).closed).toBe("x");
  });

  it("closes with workflow_terminated when nothing gave a reason", () => {
    const channel = open(roundRobinGraph([A]));
    const state = { ...adapter.initialState(channel), expected_next_speaker: null };
    expect(adapter.onAccepted(channel, packet(A, null), state).close).toBe("workflow_terminated");
  });

  it("F-023 lower priorities win and equal ones keep their order, live and on replay", () => {
    const graph = graphOf([
      transition(always(), agentTarget(C), 100),
      transition(always(), agentTarget(B), 0),
      transition(always(), agentTarget(C), 0),
    ]);
    const course = [packet(A, null)];
    const { state } = after(graph, course);
    expect(state.expected_next_speaker).toBe(B);
    const replayed = createWorkflowAdapter({ targets: [lastSpeaker, ghost] });
    const read = JSON.parse(JSON.stringify(open(graph))) as ReturnType<typeof open>;
    expect(playCourse(replayed, read, course).state).toEqual(state);
  });

  it("F-017 a handoff to a stranger goes on by the graph, and is recorded", () => {
    const graph = graphOf([transition(toolCalled("t"), agentTarget(B))], agentTarget(C));
    const byRule = { kind: "handoff", tool: "t", target: "nobody" };
    const byDefault = { kind: "handoff", tool: "u", target: "nobody" };
    expect(after(graph, [packet(A, byRule)]).state.expected_next_speaker).toBe(B);
    expect(after(graph, [packet(A, byDefault)]).state.expected_next_speaker).toBe(C);
    const ending = graphOf([]);
    expect(after(ending, [packet(A, byDefault)]).closed).toBe("after_work");
  });

  it("F-017 never waits for somebody whom a target made up", () => {
    const graph = graphOf([transition(always(), { name: "ghost", args: {} })], agentTarget(B));
    expect(after(graph, [packet(A, null)]).state.expected_next_speaker).toBe(B);
    const hopeless = graphOf([], { name: "ghost", args: {} });
    expect(after(hopeless, [packet(A, null)]).closed).toBe("no_allowed_speaker");
  });

  it("F-016 the last speaker never speaks twice in a row where that is not allowed", () => {
    const again = { name: "last_speaker", args: {} };
    const graph = graphOf(
      [
        transition(always(), again),
        transition(always(), stayTarget()),
        transition(always(), again),
      ],
      again,
    );
    const knobs = { allow_repeat_speaker: false };
    attempts = 0;
    const self = { kind: "handoff", tool: "t", target: A };
    const { state, closed } = after(graph, [packet(A, self)], knobs);
    expect(closed).toBeNull();
    expect(state.expected_next_speaker).toBe(B);
    expect(attempts).toBe(3);
    const send = () => adapter.validateSend(open(graph, knobs), packet(A, null), state);
    expect(send).toThrow(`expects '${B}'`);
    const ending = graphOf([transition(always(), again)]);
    expect(after(ending, [packet(A, null)], knobs).closed).toBe("after_work");
    expect(after(graph, [packet(A, self)]).state.expected_next_speaker).toBe(A);
  });

  it("passes over a rule that does not hold", () => {
    const graph = graphOf([transition(fromSpeaker(B), stayTarget())], agentTarget(B));
    const { state } = after(graph, [packet(A, null), packet(B, null)]);
    expect(state).toMatchObject({ expected_next_speaker: B, turn_count: 2 });
  });
});
