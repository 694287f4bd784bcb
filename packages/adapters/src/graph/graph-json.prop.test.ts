import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindGraph } from "./bind-graph.js";
import { always, contextEquals, fromSpeaker, toolCalled } from "./conditions.js";
import { dumpGraph } from "./dump-graph.js";
import { loadGraph } from "./load-graph.js";
import {
  agentTarget,
  revertToInitiator,
  roundRobinTarget,
  stayTarget,
  terminateTarget,
} from "./targets.js";
import { type TransitionGraph, transition } from "./transition-graph.js";
import { builtInRegistry } from "./transition-registry.js";

const word = fc.string({ minLength: 1, maxLength: 8 });
const value = fc.jsonValue({ maxDepth: 3 }).map((json) => JSON.parse(JSON.stringify(json)));
const safe = value.filter((json) => !JSON.stringify(json).includes("__proto__"));
const condition = fc.oneof(
  fc.constant(always()),
  word.map(fromSpeaker),
  word.map(toolCalled),
  fc.tuple(fc.string(), safe).map(([key, json]) => contextEquals(key, json)),
);
const target = fc.oneof(
  word.map(agentTarget),
  fc.constantFrom(roundRobinTarget(), stayTarget(), revertToInitiator()),
  word.map((reason) => terminateTarget(reason)),
);
const rule = fc
  .tuple(condition, target, fc.integer({ min: -5, max: 5 }))
  .map(([when, then, priority]) => transition(when, then, priority));
const arbitraryGraph: fc.Arbitrary<TransitionGraph> = fc.record({
  initial_speaker: word,
  transitions: fc.array(rule, { maxLength: 8 }),
  default_target: target,
  max_turns: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: null }),
});

describe("any graph", () => {
  it("loads from its text and from its data to the same graph", () => {
    const property = fc.property(arbitraryGraph, (graph) => {
      expect(loadGraph(dumpGraph(graph))).toEqual(graph);
      expect(loadGraph(JSON.parse(JSON.stringify(graph)))).toEqual(graph);
      expect(dumpGraph(loadGraph(graph))).toBe(dumpGraph(graph));
    });
    fc.assert(property);
  });

  it("has one text, whatever the order of its keys", () => {
    const property = fc.property(arbitraryGraph, (graph) => {
      const { max_turns, default_target, transitions, initial_speaker } = graph;
      const turned = { max_turns, default_target, transitions, initial_speaker };
      expect(dumpGraph(turned)).toBe(dumpGraph(graph));
    });
    fc.assert(property);
  });

  it("F-023 tries lower priorities first and equal ones in list order", () => {
    const property = fc.property(fc.array(fc.integer({ min: 0, max: 2 })), (priorities) => {
      const graph: TransitionGraph = {
        initial_speaker: "a",
        transitions: priorities.map((p, at) => transition(always(), terminateTarget(`${at}`), p)),
        default_target: terminateTarget("default"),
        max_turns: null,
      };
      const { decisions } = bindGraph(loadGraph(dumpGraph(graph)), builtInRegistry);
      const state = {
        participant_order: [],
        last_speaker_id: null,
        creator_id: "",
        turn_count: 0,
        context_vars: {},
      };
      const order = [...decisions({ envelope: {} as never, state })].map((d) => d.close_reason);
      const expected = [0, 1, 2].flatMap((p) =>
        priorities.flatMap((priority, at) => (priority === p ? [`${at}`] : [])),
      );
      expect(order).toEqual([...expected, "default"]);
    });
    fc.assert(property);
  });
});
