import type { ScriptedCall } from "./scripted-call.js";

/** A tool that a scripted model asks for. */
export interface ScriptedToolCall {
  readonly name: string;
  /** The object; a text is sent as it is, so that it may be broken JSON. Default: no arguments. */
  readonly arguments?: Readonly<Record<string, unknown>> | string | undefined;
  /** Default: `call_1`, `call_2` and so on over the model's whole life. */
  readonly id?: string | undefined;
}

/** What a scripted model says it has used. */
export interface ScriptedUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
}

/** An answer in detail. */
export interface ScriptedAnswer {
  readonly text?: string | undefined;
  /** The pieces that a stream brings; default: the text word by word. */
  readonly deltas?: readonly string[] | undefined;
  /** What it thinks before it speaks. */
  readonly reasoning?: string | undefined;
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /** Default `tool-calls` when it asks for tools, else `stop`. */
  readonly finishReason?: "stop" | "length" | "content-filter" | "tool-calls" | undefined;
  /** Default: one token a word, of what it is asked and of what it says. */
  readonly usage?: ScriptedUsage | undefined;
  /** The answer breaks off with this error behind its text, as a connection that goes does. */
  readonly breaksWith?: Error | undefined;
}

/** A server's refusal, as the AI SDK reports it. */
export interface ScriptedRefusal {
  /** HTTP status, such as 429. */
  readonly status: number;
  readonly message?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Never answers; ends only when the caller's signal is aborted. */
export interface ScriptedSilence {
  readonly hangs: true;
}

/** One answer of a scripted model: a text, an answer in detail, a refusal, or an error to throw. */
export type ScriptedStep = string | ScriptedAnswer | ScriptedRefusal | ScriptedSilence | Error;

/** A function in place of a script. */
export type ModelScript = (call: ScriptedCall) => ScriptedStep | Promise<ScriptedStep>;
