import type { TransitionGraph } from "./transition-graph.js";

/**
 * Writes a graph as JSON text with sorted keys, so that equal graphs give equal texts.
 *
 * The graph itself is plain JSON already: put it into a knob as it is.
 */
export function dumpGraph(graph: TransitionGraph): string {
  return JSON.stringify(sortKeys(graph));
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
