import { type JsonSchema, jsonSchemaSchema, type Tool, type ToolContext } from "@colloquy/protocol";
import * as z from "zod";
import { messageOf } from "../errors.js";

/** What {@link defineTool} makes a tool of. */
interface ToolDefinition<S extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  run(args: z.output<S>, context: ToolContext): Promise<unknown>;
}

/**
 * Makes a tool that never throws: wrong arguments and whatever `run` throws become a sentence that
 * starts with `Error: `, so that a model can read what went wrong and go on.
 */
export function defineTool<S extends z.ZodType>(definition: ToolDefinition<S>): Tool {
  const { name, description, input } = definition;
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
        return `Error: ${messageOf(error)}`;
      }
    },
  };
}

/** The sentence for an action that a tool does not have. */
export function unknownAction(action: string, actions: readonly string[]): string {
  return `Error: unknown action '${action}'; choose from ${actions.join(", ")}`;
}

/** An argument that a model may leave out, or give as null. */
export function optional<T extends z.ZodType>(type: T, description: string) {
  return type.nullish().describe(description);
}

function toJsonSchema(input: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: "input" });
  return jsonSchemaSchema.parse(schema);
}

function wrongArgument(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  return `argument \`${path}\` is wrong: ${issue?.message ?? "invalid"}`;
}
