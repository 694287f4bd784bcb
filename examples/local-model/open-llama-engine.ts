import { basename } from "node:path";
import { ApiError } from "./api-error.js";
import { toLlamaFunctions, toLlamaHistory } from "./llama-history.js";
import type {
  Llama,
  LlamaChat,
  LlamaModule,
  LlamaSequence,
  LlamaTokenizer,
} from "./llama-types.js";
import type { Answer, ModelEngine, Question } from "./model-engine.js";
import { createTurnstile } from "./turnstile.js";

/** Where an engine finds its parts, and what it may use. */
export interface LlamaEngineOptions {
  /** Entry of the library, as `installLibrary` gives it. */
  readonly library: URL;
  /** A GGUF file. */
  readonly modelPath: string;
  /** Tokens of a question and its answer together. Default 4096. */
  readonly contextTokens?: number;
  /**
   * Threads that compute. Default 1: more wait for each other, which on a machine that is busy with
   * other work takes many times as long as one alone.
   */
  readonly threads?: number;
  /**
   * Default true: the model is told of the functions of a question and may call them. False for a
   * model too small for it, which repeats what it was told instead of answering; it is as free to
   * call none then as any other.
   */
  readonly tellsFunctions?: boolean;
  /** Most questions that wait for their turn. Default 16. */
  readonly maxWaiting?: number;
}

interface Parts {
  readonly llama: Llama;
  readonly chat: LlamaChat;
  readonly sequence: LlamaSequence;
  readonly tokenizer: LlamaTokenizer;
}

/** Loads a model and opens a {@link ModelEngine} over it. Rejects when library or model do not load. */
export async function openLlamaEngine(options: LlamaEngineOptions): Promise<ModelEngine> {
  const { contextTokens = 4096, maxWaiting = 16, tellsFunctions = true } = options;
  const parts = await load(options, contextTokens);
  const turnstile = createTurnstile(maxWaiting);
  return {
    model: basename(options.modelPath, ".gguf").toLowerCase(),
    contextTokens,
    answer(asked, onText, signal) {
      const question = tellsFunctions ? asked : { ...asked, functions: [] };
      return turnstile.pass(() => generate(parts, contextTokens, question, onText, signal), signal);
    },
    async [Symbol.asyncDispose]() {
      await turnstile.close();
      await parts.llama.dispose();
    },
  };
}

async function load(options: LlamaEngineOptions, contextSize: number): Promise<Parts> {
  const { getLlama, LlamaChat }: LlamaModule = await import(options.library.href);
  const threads = options.threads ?? 1;
  const llama = await getLlama({
    ...{ gpu: false, build: "never", skipDownload: true },
    ...{ progressLogs: false, logLevel: "error", maxThreads: threads },
  });
  const model = await llama.loadModel({ modelPath: options.modelPath });
  const context = await model.createContext({ contextSize, sequences: 1, threads });
  const sequence = context.getSequence();
  const chat = new LlamaChat({ contextSequence: sequence });
  return { llama, chat, sequence, tokenizer: model.tokenizer };
}

async function generate(
  { chat, sequence, tokenizer }: Parts,
  contextTokens: number,
  question: Question,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<Answer> {
  const history = toLlamaHistory(question.messages, question.functions);
  const functions = toLlamaFunctions(question.functions);
  const documented = functions === undefined ? {} : { documentFunctionParams: true };
  const promptTokens = chat.chatWrapper
    .generateContextState({
      chatHistory: history,
      ...(functions === undefined ? {} : { availableFunctions: functions }),
      ...documented,
    })
    .contextText.tokenize(tokenizer).length;
  const room = roomFor(promptTokens, contextTokens);
  const maxTokens = Math.min(question.maxTokens ?? room, room);
  const before = sequence.tokenMeter.getState();
  let text = "";
  const { functionCalls = [], metadata } = await chat.generateResponse(history, {
    ...{ maxTokens, temperature: question.temperature, topP: question.topP },
    ...(question.seed === null ? {} : { seed: question.seed }),
    customStopTriggers: question.stop,
    ...(functions === undefined ? {} : { functions }),
    ...documented,
    signal,
    onTextChunk(piece) {
      // The library says so where a text has come to its end.
      if (piece === "") return;
      text += piece;
      onText(piece);
    },
  });
  const used = sequence.tokenMeter.diff(before);
  const calls = functionCalls.map(({ functionName, params }) => ({
    name: functionName,
    arguments: params ?? {},
  }));
  return {
    ...{ text, calls, promptTokens },
    finishReason:
      calls.length > 0 ? "tool_calls" : metadata.stopReason === "maxTokens" ? "length" : "stop",
    completionTokens: used.usedOutputTokens,
    cachedTokens: Math.max(0, promptTokens - used.usedInputTokens),
  };
}

/** Tokens that the model's own template may add around an answer. */
const MARGIN = 16;

function roomFor(promptTokens: number, contextTokens: number): number {
  const room = contextTokens - promptTokens - MARGIN;
  if (room > 0) return room;
  throw new ApiError(
    400,
    `messages: they have ${promptTokens} tokens; this server has room for ${contextTokens} with the answer. Send fewer or shorter messages, or start it with more context tokens.`,
    { param: "messages", code: "context_length_exceeded" },
  );
}
