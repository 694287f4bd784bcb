import * as z from "zod";
import { ApiError } from "./api-error.js";
import { toFunctionSchema } from "./function-schema.js";
import type { ModelFunction, Question } from "./model-engine.js";
import { readMessages } from "./read-messages.js";
import { chatRequestSchema, type WireTool } from "./wire-request.js";

/** A request for an answer, checked. */
export interface ChatRequest {
  readonly question: Question;
  readonly stream: boolean;
  /** A stream ends with a piece that tells the usage. */
  readonly includeUsage: boolean;
}

/**
 * Checks the body of a request and puts it in the engine's words. Fields that it does not know are
 * passed over; one that asks for what this server cannot do is refused.
 *
 * @throws ApiError with status 400, naming the field; 404 for another model
 */
export function readRequest(body: unknown, model: string): ChatRequest {
  const parsed = chatRequestSchema.safeParse(body);
  if (!parsed.success) throw refusal(parsed.error);
  const { data } = parsed;
  if (data.model !== model) {
    throw new ApiError(404, `model: there is no "${data.model}"; this server has "${model}".`, {
      ...{ param: "model", code: "model_not_found" },
    });
  }
  return {
    question: {
      messages: readMessages(data.messages),
      functions: data.tool_choice === "none" ? [] : (data.tools ?? []).map(toFunction),
      maxTokens: data.max_completion_tokens ?? data.max_tokens ?? null,
      temperature: data.temperature ?? 1,
      topP: data.top_p ?? 1,
      seed: data.seed ?? null,
      stop: typeof data.stop === "string" ? [data.stop] : (data.stop ?? []),
    },
    stream: data.stream ?? false,
    includeUsage: data.stream_options?.include_usage ?? false,
  };
}

function toFunction(
  { function: { name, description = "", parameters } }: WireTool,
  at: number,
): ModelFunction {
  const properties = parameters?.["properties"];
  const takesNone = typeof properties !== "object" || Object.keys(properties ?? {}).length === 0;
  const field = `tools[${at}].function.parameters`;
  return {
    ...{ name, description },
    parameters: takesNone ? null : toFunctionSchema(parameters, field),
  };
}

function refusal(error: z.ZodError): ApiError {
  const [issue] = error.issues;
  const param = z.core.toDotPath(issue?.path ?? []) || null;
  const message = `${param ?? "body"}: ${issue?.message ?? "is wrong"}`;
  return new ApiError(400, message, { param });
}
