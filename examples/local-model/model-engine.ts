/** Something said in a chat, or done with tools, in the order it happened. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly PastCall[] };

/** A call of a tool that the model made earlier, and what came of it. */
export interface PastCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly result: string;
}

/** A function that the model may call. */
export interface ModelFunction {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments; null for a function without any. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
}

/** One question to a model. */
export interface Question {
  readonly messages: readonly ChatMessage[];
  readonly functions: readonly ModelFunction[];
  /** Most tokens of the answer; null for as many as there is room for. */
  readonly maxTokens: number | null;
  /** 0 always takes the likeliest token. */
  readonly temperature: number;
  readonly topP: number;
  readonly seed: number | null;
  /** Texts at which the answer ends, without them. */
  readonly stop: readonly string[];
}

/** What a model has answered. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  /** `length`: it was cut at its most tokens, or the context was full. */
  readonly finishReason: "stop" | "length" | "tool_calls";
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Those of the prompt that the model had read before. */
  readonly cachedTokens: number;
}

/** A model that has been loaded. It answers one question at a time; others wait their turn. */
export interface ModelEngine extends AsyncDisposable {
  /** Name of the model, as clients ask for it. */
  readonly model: string;
  /** Tokens that a question and its answer may have together. */
  readonly contextTokens: number;
  /**
   * Answers. Rejects with an `ApiError` when the question is too long or too many wait, and with the
   * signal's reason when that is aborted.
   *
   * @param onText - hears the text piece by piece; the pieces together are `text`
   */
  answer(question: Question, onText: (text: string) => void, signal: AbortSignal): Promise<Answer>;
}
