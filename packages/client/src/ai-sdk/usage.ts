import type { LanguageModelUsage } from "ai";

/** What a turn has used of its model. Tokens that a provider does not tell count as 0. */
export interface TurnUsage {
  /** Tokens read, cached ones included. */
  readonly inputTokens: number;
  /** Tokens written, reasoning included. */
  readonly outputTokens: number;
  /** Those of the tokens read that came from the provider's cache. */
  readonly cachedTokens: number;
  readonly totalTokens: number;
  /** Calls of the model, failed ones included. */
  readonly modelCalls: number;
  /** Those of the calls that repeated a failed one. */
  readonly retries: number;
}

/** Adds up a {@link TurnUsage}. */
export interface UsageMeter {
  readonly total: TurnUsage;
  countCall(isRetry: boolean): void;
  addTokens(usage: LanguageModelUsage): void;
}

/** Makes a {@link UsageMeter} at zero. */
export function createUsageMeter(): UsageMeter {
  const total = {
    ...{ inputTokens: 0, outputTokens: 0, cachedTokens: 0, totalTokens: 0 },
    ...{ modelCalls: 0, retries: 0 },
  };
  return {
    get total() {
      return { ...total };
    },
    countCall(isRetry) {
      total.modelCalls += 1;
      if (isRetry) total.retries += 1;
    },
    addTokens({ inputTokens = 0, outputTokens = 0, totalTokens, inputTokenDetails }) {
      total.inputTokens += inputTokens;
      total.outputTokens += outputTokens;
      total.cachedTokens += inputTokenDetails?.cacheReadTokens ?? 0;
      total.totalTokens += totalTokens ?? inputTokens + outputTokens;
    },
  };
}
