import { dumpGraph, type TransitionGraph } from "@colloquy/adapters";
import type { Reply } from "@colloquy/client";

/** A reply in whose course one tool was called, with what it gave back. */
export function calling(tool: string, result: unknown, text: string | null = null): Reply {
  return {
    text,
    events: [
      { type: "tool_call", id: "call-1", name: tool, arguments: {} },
      { type: "tool_result", id: "call-1", result },
    ],
  };
}

/** A graph as it stands in a channel's knobs. */
export const jsonOf = (graph: TransitionGraph): Record<string, unknown> =>
  JSON.parse(dumpGraph(graph)) as Record<string, unknown>;
