import { type BoundGraph, bindGraph } from "../graph/bind-graph.js";
import { loadGraph } from "../graph/load-graph.js";
import type { TransitionRegistry } from "../graph/transition-registry.js";
import type { JsonRecord } from "../json-record.js";

/** Graphs by their data. */
export interface WorkflowGraphs {
  /** Throws `WorkflowGraphError` when the data is no graph that the registry knows. */
  bound(graphData: JsonRecord): BoundGraph;
}

/**
 * Loads graphs and remembers them for as long as their data lives. States of one channel share the
 * data, so a graph is loaded once per channel and not once per turn.
 */
export function createWorkflowGraphs(registry: TransitionRegistry): WorkflowGraphs {
  const known = new WeakMap<JsonRecord, BoundGraph>();
  return {
    bound(graphData) {
      const found = known.get(graphData);
      if (found !== undefined) return found;
      const bound = bindGraph(loadGraph(graphData, registry), registry);
      known.set(graphData, bound);
      return bound;
    },
  };
}
