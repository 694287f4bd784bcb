import {
  generateText,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  streamText,
  type ToolSet,
} from "ai";
import type { CallSettings } from "./generation-config.js";
import { BrokenAnswerError } from "./model-failure.js";
import type { ModelPrompt } from "./to-model-prompt.js";

/** One question to a model. */
export interface ModelRequest extends ModelPrompt, CallSettings {
  readonly model: LanguageModel;
  readonly tools: ToolSet;
  readonly abortSignal: AbortSignal;
}

/** A tool that a model asks for. */
export interface AskedTool {
  readonly id: string;
  readonly name: string;
  /** The object, or the raw text if it was no valid JSON. */
  readonly arguments: string | Readonly<Record<string, unknown>>;
}

/** What a model has answered to one question. */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly AskedTool[];
  /** What it said, for the next question, with all that the provider wants to see again. */
  readonly messages: readonly ModelMessage[];
  readonly finishReason: string;
  readonly usage: LanguageModelUsage;
  readonly facts: { readonly id: string; readonly model: string };
}

/** What both ways of asking give. */
type Finished = Awaited<ReturnType<typeof generateText<ToolSet>>>;
type Facts = Pick<Finished, "text" | "toolCalls" | "finishReason" | "rawFinishReason" | "usage"> & {
  readonly response: Pick<Finished["response"], "id" | "modelId" | "messages">;
};

/** Asks once, without repeats, and resolves with the whole answer. */
export async function askOnce(request: ModelRequest): Promise<ModelAnswer> {
  return toAnswer(request, await generateText(settingsOf(request)));
}

/**
 * Asks once, without repeats, and shows the text of the answer while it is written; reasoning is not
 * shown. Rejects when the answer breaks off.
 */
export async function askStreaming(
  request: ModelRequest,
  show: (text: string) => void,
): Promise<ModelAnswer> {
  // The SDK writes errors to the console unless somebody takes them.
  const result = streamText({ ...settingsOf(request), onError: () => undefined });
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") show(part.text);
    if (part.type === "error") throw streamError(part.error);
    if (part.type === "abort") request.abortSignal.throwIfAborted();
  }
  const [text, toolCalls, finishReason, rawFinishReason, usage, response] = await Promise.all([
    ...([result.text, result.toolCalls, result.finishReason] as const),
    ...([result.rawFinishReason, result.usage, result.response] as const),
  ]);
  return toAnswer(request, { text, toolCalls, finishReason, rawFinishReason, usage, response });
}

function settingsOf(request: ModelRequest) {
  const { tools, ...rest } = request;
  // Repeats are the agent's own business, and so is the running of tools.
  return { ...rest, maxRetries: 0, ...(Object.keys(tools).length === 0 ? {} : { tools }) };
}

function toAnswer({ model }: ModelRequest, finished: Facts): ModelAnswer {
  const { text, toolCalls, finishReason, rawFinishReason, usage, response } = finished;
  const calls = toolCalls
    .filter(({ providerExecuted }) => providerExecuted !== true)
    .map(({ toolCallId, toolName, input }) => ({
      ...{ id: toolCallId, name: toolName },
      arguments: toArguments(input),
    }));
  if (finishReason === "error") throw new BrokenAnswerError("the answer ended with an error");
  // Models of the older specification never say the provider's own reason.
  const saysReasons = typeof model === "object" && model.specificationVersion === "v3";
  if (saysReasons && finishReason === "other" && rawFinishReason === undefined) {
    throw new BrokenAnswerError("the answer broke off: it came without a reason to finish");
  }
  return {
    ...{ text, calls, finishReason, usage },
    messages: response.messages.filter(({ role }) => role === "assistant"),
    facts: { id: response.id, model: response.modelId },
  };
}

function toArguments(input: unknown): AskedTool["arguments"] {
  if (typeof input === "string") return input.trim() === "" ? {} : input;
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? (input as Readonly<Record<string, unknown>>) : JSON.stringify(input ?? null);
}

/** What a provider says in mid-answer may be a bare text or object, which is none of ours to judge. */
function streamError(error: unknown): Error {
  if (error instanceof Error) return error;
  const text = typeof error === "string" ? error : JSON.stringify(error);
  return new BrokenAnswerError(`the answer broke off: ${text}`);
}
