/** A call of a model that is about to be made. */
export interface ModelCall {
  /** Who serves the model, such as `openai.chat`. */
  readonly provider: string;
  /** Name of the model that is asked for. */
  readonly model: string;
}

/** What a model's answer says of itself; all of it may be absent. */
export interface ModelFacts {
  readonly model?: string | undefined;
  readonly id?: string | undefined;
  readonly finishReasons?: readonly string[] | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/**
 * Stands around each call of a model, repeats too, and must make it once. `traceChat` of
 * `@colloquy/telemetry` is one.
 */
export type AroundModelCall = <T>(
  call: ModelCall,
  run: (tell: (facts: ModelFacts) => void) => Promise<T>,
) => Promise<T>;

/** Makes the call and no more. */
export const callDirectly: AroundModelCall = (_call, run) => run(() => undefined);
