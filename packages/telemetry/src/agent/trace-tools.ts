import type { Tool } from "@colloquy/protocol";
import {
  type Context,
  context,
  SpanKind,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { ATTR } from "../spans/attributes.js";
import { AGENT_SCOPE } from "./agent-scope.js";
import { runInSpan } from "./run-in-span.js";

/**
 * The same tools, each call of which is a span `execute_tool <name>` below the current one. For tools
 * that an agent brings itself; those of the turn are traced by `withTelemetry`. Arguments and results
 * are never recorded.
 *
 * @param options - the provider of tracers; default: the process's own
 */
export function traceTools<T extends Tool>(
  tools: readonly T[],
  { tracerProvider }: { readonly tracerProvider?: TracerProvider | undefined } = {},
): T[] {
  return tools.map((tool) => {
    // The process's own provider may be set up after the agent was made.
    const tracer = () => (tracerProvider ?? trace.getTracerProvider()).getTracer(AGENT_SCOPE);
    return traceTool(tool, tracer, () => context.active());
  });
}

/** A tool whose calls are spans below a parent. */
export function traceTool<T extends Tool>(tool: T, tracer: () => Tracer, parent: () => Context): T {
  return {
    ...tool,
    run(args, call) {
      const attributes = {
        [ATTR.genAiOperation]: "execute_tool",
        [ATTR.genAiToolName]: tool.name,
        [ATTR.genAiToolType]: "function",
        [ATTR.genAiToolCallId]: call.callId,
      };
      const above = parent();
      const options = { kind: SpanKind.INTERNAL, attributes };
      const span = tracer().startSpan(`execute_tool ${tool.name}`, options, above);
      return runInSpan({ span, within: trace.setSpan(above, span) }, async () =>
        tool.run(args, call),
      );
    },
  };
}
