import { APICallError } from "ai";
import type { ModelCallOptions, ModelObject } from "../ai-sdk/model-types.js";
import { readCall, type ScriptedCall } from "./scripted-call.js";
import { speak, toPieces } from "./scripted-content.js";
import type {
  ModelScript,
  ScriptedAnswer,
  ScriptedRefusal,
  ScriptedStep,
} from "./scripted-step.js";
import { streamPieces } from "./stream-pieces.js";

/** A model that answers by a script and remembers what it was asked. */
export type ScriptedModel = ModelObject & {
  /** What it was asked, oldest first; also the calls that it refused. */
  readonly calls: readonly ScriptedCall[];
};

/**
 * A model without a network, for tests and examples: a real model object of the AI SDK, for
 * `createModelAgent` and for everything else that takes one.
 *
 * @param script - the answers in order, or a function; a model whose answers have run out throws
 */
export function createScriptedModel(
  script: readonly ScriptedStep[] | ModelScript,
  { name = "scripted" }: { readonly name?: string | undefined } = {},
): ScriptedModel {
  const calls: ScriptedCall[] = [];
  const steps = typeof script === "function" ? null : [...script];
  let ids = 0;
  const nextId = (): string => {
    ids += 1;
    return `call_${ids}`;
  };
  const answer = async (options: ModelCallOptions) => {
    const call = readCall(calls.length, options);
    calls.push(call);
    options.abortSignal?.throwIfAborted();
    const step = typeof script === "function" ? await script(call) : steps?.shift();
    if (step === undefined) {
      throw new Error(`scripted model '${name}' has no answer left for call ${call.index + 1}`);
    }
    const said = await toAnswer(step, options.abortSignal);
    return { said, spoken: speak(said, call, nextId) };
  };
  return {
    specificationVersion: "v3",
    provider: "scripted",
    modelId: name,
    supportedUrls: {},
    calls,
    async doGenerate(options) {
      const { said, spoken } = await answer(options);
      if (said.breaksWith !== undefined) throw said.breaksWith;
      return { ...spoken, warnings: [] };
    },
    async doStream(options) {
      const { said, spoken } = await answer(options);
      return { stream: streamPieces(toPieces(said, spoken), options.abortSignal) };
    },
  };
}

async function toAnswer(
  step: ScriptedStep,
  signal: AbortSignal | undefined,
): Promise<ScriptedAnswer> {
  if (typeof step === "string") return { text: step };
  if (step instanceof Error) throw step;
  if ("hangs" in step) return untilAborted(signal);
  if ("status" in step) throw refusal(step);
  return step;
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function refusal({ status, message, headers = {} }: ScriptedRefusal): APICallError {
  return new APICallError({
    message: message ?? `status ${status}`,
    url: "scripted:",
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: { ...headers },
  });
}
