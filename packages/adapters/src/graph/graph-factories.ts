import { WorkflowGraphError } from "@colloquy/protocol";
import { always, fromSpeaker } from "./conditions.js";
import { agentTarget, roundRobinTarget, terminateTarget } from "./targets.js";
import { type TransitionGraph, transition } from "./transition-graph.js";

/**
 * A graph in which everybody speaks in the order of the channel, again and again.
 *
 * @param participants - ids; the first one starts
 * @param maxTurns - turns after which the channel closes with `max_turns`; default: no cap, so that
 *   only the channel's loop guard ends it
 * @throws WorkflowGraphError for an empty list
 */
export function roundRobinGraph(
  participants: readonly string[],
  maxTurns: number | null = null,
): TransitionGraph {
  const first = firstOf(participants, "round robin");
  return {
    initial_speaker: first,
    transitions: [transition(always(), roundRobinTarget())],
    default_target: terminateTarget("round_robin_complete"),
    max_turns: maxTurns,
  };
}

/**
 * A graph in which each of the steps speaks once, in order; then the channel closes with
 * `sequence_complete`. A step that stands in the list twice always goes where its first stand goes.
 *
 * @param steps - ids in the order in which they speak
 * @throws WorkflowGraphError for an empty list
 */
export function sequenceGraph(steps: readonly string[]): TransitionGraph {
  const first = firstOf(steps, "sequence");
  return {
    initial_speaker: first,
    transitions: steps
      .slice(1)
      .map((next, at) => transition(fromSpeaker(steps[at] ?? first), agentTarget(next))),
    default_target: terminateTarget("sequence_complete"),
    max_turns: steps.length,
  };
}

function firstOf(ids: readonly string[], graph: string): string {
  const [first] = ids;
  if (first === undefined)
    throw new WorkflowGraphError(`a ${graph} graph needs at least one agent`);
  return first;
}
