import type { Tool, ToolContext } from "@colloquy/protocol";
import type * as z from "zod";
import { defineTool as define, type ToolDefinition } from "../tools/define-tool.js";

/** {@link define} for a tool that also works outside turns, and so needs no more than a signal. */
export function defineTool<S extends z.ZodObject>(
  definition: ToolDefinition<S, ToolContext>,
): Tool {
  return define<S, ToolContext>(definition);
}

/** The sentence for an action that a tool does not have. */
export function unknownAction(action: string, actions: readonly string[]): string {
  return `Error: unknown action '${action}'; choose from ${actions.join(", ")}`;
}

/** An argument that a model may leave out, or give as null. */
export function optional<T extends z.ZodType>(type: T, description: string) {
  return type.nullish().describe(description);
}
