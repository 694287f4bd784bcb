import type { Agent, Reply, Turn } from "@colloquy/client";
import {
  context,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { ATTR } from "../spans/attributes.js";
import { linkTo, spanContextOf, traceparentOf } from "../spans/links.js";
import { AGENT_SCOPE } from "./agent-scope.js";
import { runInSpan } from "./run-in-span.js";
import { traceTool } from "./trace-tools.js";
import { createTurnTimer, type TurnTimer } from "./turn-timer.js";

/** Options of {@link withTelemetry}. */
export interface AgentTelemetryOptions {
  /** Default: the process's own. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Default: the process's own. */
  readonly meterProvider?: MeterProvider | undefined;
}

/**
 * An agent whose turns are traced.
 *
 * Each turn is a span `invoke_agent <name>`, the root of a trace of its own, linked to what its
 * trigger was posted in (`triggered_by`); each call of a tool a span `execute_tool <name>` below it.
 * Everything that is posted in the turn carries the turn's span on in `trace_id`, so that the turns
 * of a workflow hang together over processes. Texts, arguments and results are never recorded.
 *
 * Code of the agent sees the turn's span as the current one, where the process has a context manager,
 * as `startTelemetry` of the `node` entry sets up; `traceChat` makes the span of a model's call, and is
 * what `aroundModelCall` of `createModelAgent` takes; `traceTools` traces an agent's own tools.
 */
export function withTelemetry(agent: Agent, options: AgentTelemetryOptions = {}): Agent {
  const tracerProvider = options.tracerProvider ?? trace.getTracerProvider();
  const meterProvider = options.meterProvider ?? metrics.getMeterProvider();
  const tracer = tracerProvider.getTracer(AGENT_SCOPE);
  const timer = createTurnTimer(meterProvider.getMeter(AGENT_SCOPE));
  return {
    name: agent.name,
    ask: (turn) => askTraced(agent, turn, tracer, timer),
  };
}

async function askTraced(
  agent: Agent,
  turn: Turn,
  tracer: Tracer,
  timer: TurnTimer,
): Promise<Reply> {
  const cause = spanContextOf(turn.context.trace.traceparent);
  const span = tracer.startSpan(`invoke_agent ${agent.name}`, {
    root: true,
    kind: SpanKind.INTERNAL,
    attributes: factsOf(agent, turn),
    links: cause === null ? [] : [linkTo(cause, "triggered_by")],
  });
  const traceparent = traceparentOf(span.spanContext());
  if (traceparent !== null) turn.context.trace.carry(traceparent);
  const within = trace.setSpan(context.active(), span);
  const tools = turn.tools.map((tool) =>
    traceTool(
      tool,
      () => tracer,
      () => within,
    ),
  );
  const stop = timer.start("invoke_agent");
  return await runInSpan({ span, within, stop }, async () => {
    const reply = await agent.ask({ ...turn, tools });
    noteReply(span, reply);
    return reply;
  });
}

function factsOf(agent: Agent, turn: Turn) {
  return {
    [ATTR.spanType]: "turn",
    [ATTR.genAiOperation]: "invoke_agent",
    [ATTR.genAiAgentName]: agent.name,
    [ATTR.genAiAgentId]: turn.agentId,
    [ATTR.genAiConversation]: turn.channel.channel_id,
    [ATTR.channelId]: turn.channel.channel_id,
    [ATTR.manifestType]: turn.channel.manifest.type,
    [ATTR.envelopeId]: turn.envelope.envelope_id,
    [ATTR.turnAttempt]: turn.attempt,
  };
}

function noteReply(span: Span, { text }: Reply): void {
  span.setAttribute(ATTR.turnSilent, text === null || text.trim() === "");
}
