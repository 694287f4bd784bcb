import { type Attributes, context, metrics, SpanKind, trace } from "@opentelemetry/api";
import { ATTR } from "../spans/attributes.js";
import { AGENT_SCOPE } from "./agent-scope.js";
import { runInSpan } from "./run-in-span.js";
import { createTurnTimer } from "./turn-timer.js";
import type { AgentTelemetryOptions } from "./with-telemetry.js";

/** A call of a model that is about to be made. */
export interface ChatCall extends AgentTelemetryOptions {
  /** Who serves the model, such as `openai`. */
  readonly provider: string;
  /** Name of the model that is asked for. */
  readonly model: string;
}

/** What a model's answer says of itself; all of it may be absent. */
export interface ChatFacts {
  readonly model?: string | undefined;
  readonly id?: string | undefined;
  readonly finishReasons?: readonly string[] | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/**
 * Makes one call of a model as a span `chat <model>` below the current one, by the conventions for
 * generative AI. The texts that go there and back are not recorded.
 *
 * @param run - makes the call; it may tell what the answer says of itself
 */
export async function traceChat<T>(
  { provider, model, tracerProvider, meterProvider }: ChatCall,
  run: (tell: (facts: ChatFacts) => void) => Promise<T>,
): Promise<T> {
  const tracer = (tracerProvider ?? trace.getTracerProvider()).getTracer(AGENT_SCOPE);
  const meter = (meterProvider ?? metrics.getMeterProvider()).getMeter(AGENT_SCOPE);
  const span = tracer.startSpan(`chat ${model}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      [ATTR.genAiOperation]: "chat",
      [ATTR.genAiProvider]: provider,
      [ATTR.genAiRequestModel]: model,
    },
  });
  const stop = createTurnTimer(meter).start("chat");
  const within = trace.setSpan(context.active(), span);
  return await runInSpan({ span, within, stop }, () =>
    run((facts) => void span.setAttributes(attributesOf(facts))),
  );
}

function attributesOf(facts: ChatFacts): Attributes {
  const { model, id, finishReasons, inputTokens, outputTokens } = facts;
  return {
    ...(model === undefined ? {} : { [ATTR.genAiResponseModel]: model }),
    ...(id === undefined ? {} : { [ATTR.genAiResponseId]: id }),
    ...(finishReasons === undefined ? {} : { [ATTR.genAiFinishReasons]: [...finishReasons] }),
    ...(inputTokens === undefined ? {} : { [ATTR.genAiInputTokens]: inputTokens }),
    ...(outputTokens === undefined ? {} : { [ATTR.genAiOutputTokens]: outputTokens }),
  };
}
