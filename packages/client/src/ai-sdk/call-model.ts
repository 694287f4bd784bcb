import type { Clock, LogFields, Logger } from "@colloquy/protocol";
import { raceSignal } from "../connection/race-signal.js";
import { isClientError } from "../errors.js";
import { pause } from "../network-tools/pause.js";
import { askOnce, askStreaming, type ModelAnswer, type ModelRequest } from "./ask-once.js";
import type { DeltaGate } from "./delta-gate.js";
import type { AroundModelCall } from "./model-call.js";
import { modelFailed, providersWords, readFailure } from "./model-failure.js";
import { identityOf } from "./model-types.js";
import { type RetryPolicy, retryDelayMs } from "./retry-config.js";
import type { UsageMeter } from "./usage.js";

/** What {@link callModel} needs beside the question. */
export interface ModelCaller {
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What its lines say of the turn. */
  readonly fields: LogFields;
  readonly around: AroundModelCall;
  readonly usage: UsageMeter;
  /** Null to ask for the answer in one piece. */
  readonly gate: DeltaGate | null;
}

/**
 * Asks a model one question, again where a failure may pass. Rejects with `client/model_failed`, or
 * at once with the signal's reason when that is aborted.
 */
export async function callModel(caller: ModelCaller, request: ModelRequest): Promise<ModelAnswer> {
  const { retry, clock, logger, usage } = caller;
  const signal = request.abortSignal;
  const identity = identityOf(request.model);
  caller.gate?.beginRound();
  for (let retries = 0; ; retries += 1) {
    signal.throwIfAborted();
    usage.countCall(retries > 0);
    try {
      return await raceSignal(attempt(caller, request), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isClientError(error)) throw error;
      const { passing, headers, status } = readFailure(error);
      if (!passing || retries >= retry.maxRetries) {
        throw modelFailed(error, identity.model, retries + 1);
      }
      const delayMs = retryDelayMs(retry, retries, headers, clock.now());
      logger.warn(
        {
          ...{ ...caller.fields, ...identity, status },
          ...{ retry: retries + 1, delay_ms: delayMs, error: providersWords(error) },
        },
        "a model call failed and is made again",
      );
      await pause(clock, delayMs, signal);
    }
  }
}

async function attempt(caller: ModelCaller, request: ModelRequest): Promise<ModelAnswer> {
  return caller.around(identityOf(request.model), async (tell) => {
    const { gate } = caller;
    const answer =
      gate === null ? await askOnce(request) : await askStreaming(request, gate.beginAttempt());
    caller.usage.addTokens(answer.usage);
    tell({
      ...answer.facts,
      finishReasons: [answer.finishReason],
      inputTokens: answer.usage.inputTokens,
      outputTokens: answer.usage.outputTokens,
    });
    return answer;
  });
}
