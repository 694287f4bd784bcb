import type { Decision, RoutingContext } from "./routing-context.js";
import type { BoundCondition, BoundTarget } from "./step-types.js";
import type { TransitionGraph } from "./transition-graph.js";
import type { TransitionRegistry } from "./transition-registry.js";

interface BoundTransition {
  readonly when: BoundCondition;
  readonly target: BoundTarget;
}

/** A graph whose names have been looked up, ready to route. */
export interface BoundGraph {
  readonly graph: TransitionGraph;
  /** Agents that the graph names anywhere, each once. */
  readonly agents: readonly string[];
  /**
   * Every decision that the graph offers after a turn, best first: the targets of the rules that
   * hold, then the default target. It is never empty.
   */
  decisions(context: RoutingContext): Iterable<Decision>;
}

/**
 * Looks up every name of a graph and sorts its rules by priority, lower first, equal ones in list
 * order.
 *
 * @throws WorkflowGraphError for an unknown name or wrong arguments
 */
export function bindGraph(graph: TransitionGraph, registry: TransitionRegistry): BoundGraph {
  const sorted = [...graph.transitions].sort((a, b) => a.priority - b.priority);
  const rules: BoundTransition[] = sorted.map((transition) => ({
    when: registry.condition(transition.when),
    target: registry.target(transition.then),
  }));
  const fallback = registry.target(graph.default_target);
  const named = rules.flatMap(({ when, target }) => [...when.agents, ...target.agents]);
  return {
    graph,
    agents: [...new Set([graph.initial_speaker, ...named, ...fallback.agents])],
    *decisions(context) {
      for (const { when, target } of rules) {
        if (when.holds(context)) yield target.resolve(context);
      }
      yield fallback.resolve(context);
    },
  };
}
