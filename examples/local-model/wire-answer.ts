import type { Answer } from "./model-engine.js";

/** What every piece of one answer carries. */
export interface AnswerFacts {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

/** A whole answer. */
export function toCompletion(facts: AnswerFacts, answer: Answer): object {
  const { text, calls, finishReason } = answer;
  const message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toCall) }),
  };
  return {
    ...facts,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: toUsage(answer),
  };
}

/** One piece of a stream for each call of a tool, whole. */
export function toToolDeltas({ calls }: Answer): object[] {
  return calls.map((call, index) => ({ tool_calls: [{ index, ...toCall(call) }] }));
}

/** Tokens read and written. */
export function toUsage({ promptTokens, completionTokens, cachedTokens }: Answer): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

function toCall({ name, arguments: args }: Answer["calls"][number]): object {
  return {
    id: `call_${crypto.randomUUID()}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  };
}
