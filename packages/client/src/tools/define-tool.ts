import { type JsonSchema, jsonSchemaSchema, type ToolContext } from "@colloquy/protocol";
import * as z from "zod";
import { messageOf } from "../errors.js";
import type { ToolCallContext } from "./agent-tool.js";

/** A tool with its arguments as a schema. `C` is what it wants to know beside them. */
export interface ToolDefinition<S extends z.ZodObject, C extends ToolContext = ToolCallContext> {
  /** As a model calls it: letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** Tells a model when to call it. */
  readonly description: string;
  /** The arguments; what `describe` says of each is shown to the model. */
  readonly input: S;
  /** Runs it with checked arguments; see `AgentTool.run`. */
  run(args: z.output<S>, context: C): Promise<unknown>;
}

/** What {@link defineTool} makes. */
export interface DefinedTool<C extends ToolContext> {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  run(args: Readonly<Record<string, unknown>>, context: C): Promise<unknown>;
}

/** Names that the providers of models take. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Makes a tool that never throws: wrong arguments and whatever `run` throws become a sentence that
 * starts with `Error: `, so that a model can read what went wrong and go on. Only when the turn was
 * stopped does it reject, with the signal's reason.
 *
 * @throws TypeError for a name that no provider takes
 */
export function defineTool<S extends z.ZodObject, C extends ToolContext = ToolCallContext>(
  definition: ToolDefinition<S, C>,
): DefinedTool<C> {
  const { name, description, input } = definition;
  if (!TOOL_NAME.test(name)) {
    throw new TypeError(
      `field name: '${name}' is no name of a tool; use 1 to 64 letters, digits, _ and -`,
    );
  }
  return {
    name,
    description,
    parameters: toJsonSchema(input),
    async run(args, context) {
      const parsed = input.safeParse(args);
      if (!parsed.success) return `Error: ${name}: ${wrongArgument(parsed.error)}`;
      try {
        return await definition.run(parsed.data, context);
      } catch (error) {
        context.signal.throwIfAborted();
        return `Error: ${messageOf(error)}`;
      }
    },
  };
}

function toJsonSchema(input: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: "input" });
  return jsonSchemaSchema.parse(schema);
}

function wrongArgument(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  const where = path === "" ? "the arguments are" : `argument \`${path}\` is`;
  return `${where} wrong: ${issue?.message ?? "invalid"}`;
}
