import { TOOL_CALLED } from "./conditions.js";
import type { TransitionGraph } from "./transition-graph.js";

/** Names of the tools that hand the floor on when a round calls them: those of `tool_called` rules. */
export function routingToolsOf(graph: TransitionGraph): ReadonlySet<string> {
  const names = graph.transitions
    .filter(({ when }) => when.name === TOOL_CALLED)
    .map(({ when }) => when.args["tool_name"]);
  return new Set(names.filter((name) => typeof name === "string"));
}
