import { EV_CONTEXT_SET, EV_PACKET } from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope, runAdapterConformance } from "@colloquy/testkit";
import * as z from "zod";
import { contextEquals, fromSpeaker, toolCalled } from "../graph/conditions.js";
import { roundRobinGraph, sequenceGraph } from "../graph/graph-factories.js";
import { speaks } from "../graph/routing-context.js";
import { defineTarget } from "../graph/step-types.js";
import { agentTarget, revertToInitiator, stayTarget, terminateTarget } from "../graph/targets.js";
import { type TransitionGraph, transition } from "../graph/transition-graph.js";
import { createWorkflowAdapter } from "./workflow-adapter.js";

const ids = ["agent-a", "agent-b", "agent-c"] as const;
const [a, b, c] = ids;

/** Not built in: always the participant whose id comes first. */
const first = defineTarget({
  name: "first",
  args: z.strictObject({}),
  resolve: (_args, { state }) => speaks([...state.participant_order].sort()[0] ?? ""),
});
const makeAdapter = () => createWorkflowAdapter({ targets: [first] });
const { manifest } = makeAdapter();

const triage: TransitionGraph = {
  initial_speaker: a,
  transitions: [
    transition(toolCalled("t"), agentTarget(c), 1),
    transition(contextEquals("route", "b"), agentTarget(b), 0),
    transition(fromSpeaker(b), revertToInitiator(), 2),
    transition(fromSpeaker(c), stayTarget(), 2),
  ],
  default_target: { name: "first", args: {} },
  max_turns: null,
};

const triaged = fakeChannel(manifest, ids, { graph: triage, context_vars: { route: "none" } });
const sequence = fakeChannel(manifest, ids, { graph: sequenceGraph(ids), on_silence: "wait" });
const rotation = fakeChannel(manifest, ids, { graph: roundRobinGraph(ids, 2) });
const guarded = fakeChannel(manifest, ids, {
  graph: { ...triage, default_target: terminateTarget() },
  loop_guard: 2,
  allow_repeat_speaker: false,
});
const packet = (sender: string, event_data: Record<string, unknown>) =>
  fakeEnvelope(triaged, sender, { event_type: EV_PACKET, event_data });
const answer = (sender: string) => ({
  ...packet(sender, { routing: { kind: "handoff", target: sender === a ? b : a } }),
  causation_id: "1",
});

runAdapterConformance("workflow", makeAdapter, [
  {
    name: "triage",
    channel: triaged,
    course: [
      fakeEnvelope(triaged, c, { event_type: EV_CONTEXT_SET, event_data: { set: { route: "b" } } }),
      packet(a, { routing: { kind: "text" }, body: "hello" }),
      packet(b, { context: { route: "c" }, routing: { kind: "handoff", tool: "t" }, body: "" }),
      packet(c, { routing: { kind: "finish", reason: "solved" } }),
    ],
    closes: "solved",
  },
  {
    name: "sequence",
    channel: sequence,
    course: ids.map((id) => fakeEnvelope(sequence, id)),
    closes: "sequence_complete",
  },
  {
    name: "rotation",
    channel: rotation,
    course: [fakeEnvelope(rotation, a), fakeEnvelope(rotation, b)],
    closes: "max_turns",
  },
  { name: "guarded", channel: guarded, course: [answer(a), answer(b)], closes: "loop_guard" },
]);
