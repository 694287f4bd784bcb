import { explainIssue, isNetworkError, parseJson, WorkflowGraphError } from "@colloquy/protocol";
import { bindGraph } from "./bind-graph.js";
import { type TransitionGraph, transitionGraphSchema } from "./transition-graph.js";
import { builtInRegistry, type TransitionRegistry } from "./transition-registry.js";

/**
 * Reads a graph and checks that everything it names is known.
 *
 * @param json - the graph as an object, or its JSON text
 * @param registry - the conditions and targets that it may name; default: the built-in ones
 * @returns the graph with its defaults filled in
 * @throws WorkflowGraphError that names the field, the unknown condition or target, or the wrong
 *   argument
 */
export function loadGraph(
  json: unknown,
  registry: TransitionRegistry = builtInRegistry,
): TransitionGraph {
  const value = typeof json === "string" ? parseText(json) : json;
  const result = transitionGraphSchema.safeParse(value);
  if (!result.success) {
    const { message } = explainIssue(result.error.issues, value, "graph");
    throw new WorkflowGraphError(message);
  }
  bindGraph(result.data, registry);
  return result.data;
}

function parseText(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const message = isNetworkError(cause) ? cause.message : "The text is not valid JSON.";
    throw new WorkflowGraphError(`graph: ${message}`, { cause });
  }
}
