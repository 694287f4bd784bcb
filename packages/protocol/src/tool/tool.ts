import * as z from "zod";

/** A JSON Schema object that describes a tool's arguments to a model. */
export const jsonSchemaSchema = z.looseObject({ type: z.literal("object") });
/** See {@link jsonSchemaSchema}. */
export type JsonSchema = z.infer<typeof jsonSchemaSchema>;

/** What a running tool call may know. */
export interface ToolContext {
  /** Aborted when the turn is cancelled or out of time. */
  readonly signal: AbortSignal;
  /** Id of the call, as the model gave it. */
  readonly callId: string;
}

/** Something that a model may call during a turn. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Shape of the arguments, as a model sees it. */
  readonly parameters: JsonSchema;
  /**
   * Runs it. Arguments are as the model sent them, so the tool checks them itself. The result is
   * shown to the model; a {@link Handoff} or a {@link Finish} also routes the round.
   */
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<unknown>;
}
