/**
 * What is used of `node-llama-cpp`. Its own types are not there when this repository is checked: the
 * library is installed only where a model is run.
 */
export interface LlamaModule {
  getLlama(options: {
    gpu: false;
    build: "never";
    skipDownload: true;
    progressLogs: false;
    logLevel: "error";
    maxThreads: number;
  }): Promise<Llama>;
  readonly LlamaChat: new (options: { contextSequence: LlamaSequence }) => LlamaChat;
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  dispose(): Promise<void>;
}

export interface LlamaModel {
  readonly tokenizer: LlamaTokenizer;
  createContext(options: {
    contextSize: number;
    sequences: number;
    threads: number;
  }): Promise<{ getSequence(): LlamaSequence }>;
}

export interface LlamaSequence {
  readonly tokenMeter: {
    getState(): LlamaUsage;
    diff(before: LlamaUsage): LlamaUsage;
  };
}

interface LlamaUsage {
  readonly usedInputTokens: number;
  readonly usedOutputTokens: number;
}

/** Opaque: it goes from one part of the library to another. */
export type LlamaTokenizer = object;

export interface LlamaFunction {
  readonly description: string;
  readonly params?: object;
}

export interface LlamaFunctionCall {
  readonly type: "functionCall";
  readonly name: string;
  readonly description: string;
  readonly params: unknown;
  readonly result: unknown;
}

export type LlamaHistoryItem =
  | { readonly type: "system" | "user"; readonly text: string }
  | { readonly type: "model"; readonly response: (string | LlamaFunctionCall)[] };

type LlamaFunctions = Readonly<Record<string, LlamaFunction>>;

export interface LlamaChat {
  readonly chatWrapper: {
    generateContextState(options: {
      chatHistory: readonly LlamaHistoryItem[];
      availableFunctions?: LlamaFunctions;
      documentFunctionParams?: boolean;
    }): { readonly contextText: { tokenize(tokenizer: LlamaTokenizer): readonly unknown[] } };
  };
  generateResponse(
    history: readonly LlamaHistoryItem[],
    options: {
      readonly maxTokens: number;
      readonly temperature: number;
      readonly topP: number;
      readonly seed?: number;
      readonly customStopTriggers: readonly string[];
      readonly functions?: LlamaFunctions;
      readonly documentFunctionParams?: boolean;
      readonly signal: AbortSignal;
      readonly onTextChunk: (text: string) => void;
    },
  ): Promise<{
    readonly functionCalls?: readonly { readonly functionName: string; readonly params: unknown }[];
    readonly metadata: {
      readonly stopReason:
        | "eogToken"
        | "stopGenerationTrigger"
        | "customStopTrigger"
        | "functionCalls"
        | "maxTokens"
        | "abort";
    };
  }>;
}
