import {
  type Finish,
  type Handoff,
  isFinish,
  isHandoff,
  type RoundEvent,
  type ToolCallEvent,
} from "@colloquy/protocol";
import { routingToolsOf } from "../graph/routing-tools.js";
import type { TransitionGraph } from "../graph/transition-graph.js";
import { isRecord, ownText } from "../json-record.js";

/** What a round decided about the next speaker, as it stands in a packet. */
export type RoundRouting =
  | { readonly kind: "text" }
  | {
      readonly kind: "handoff";
      readonly tool: string;
      readonly reason: string;
      readonly target?: string;
    }
  | {
      readonly kind: "finish";
      readonly tool: string;
      readonly reason: string;
      readonly summary: string;
    };

/** What {@link resolveRouting} needs beside the events. */
export interface RoutingSources {
  /** Its `tool_called` rules make a plain call of those tools a handoff; null when there is none. */
  readonly graph: TransitionGraph | null;
  /** Agent id of a name; null when unknown, and then the name itself is the target. */
  resolveName(name: string): string | null;
}

/**
 * Reads from a round's events what it decided.
 *
 * The first call in order of emission that routes wins. A call routes by a result that carries a
 * `Finish` or a `Handoff`, or by being named in a `tool_called` rule unless it failed; its result
 * counts before its name. Results without their call decide nothing.
 */
export function resolveRouting(
  events: readonly RoundEvent[],
  { graph, resolveName }: RoutingSources,
): RoundRouting {
  const routingTools = graph === null ? new Set<string>() : routingToolsOf(graph);
  for (const call of events) {
    if (call.type !== "tool_call") continue;
    const results = resultsOf(events, call.id);
    const finished = results.find(isFinish);
    if (finished !== undefined) return finishRouting(call, finished);
    const handed = results.find(isHandoff);
    if (handed !== undefined) return handoffRouting(call, handed, resolveName);
    if (routingTools.has(call.name) && !hasFailed(events, call.id)) {
      return { kind: "handoff", tool: call.name, reason: reasonArgument(call) };
    }
  }
  return { kind: "text" };
}

/** All values that answered a call; a list counts as its items. */
function resultsOf(events: readonly RoundEvent[], callId: string): unknown[] {
  return events.flatMap((event) =>
    event.type === "tool_result" && event.id === callId ? [event.result].flat() : [],
  );
}

/** A call that came to no end, as whoever ran it says. */
function hasFailed(events: readonly RoundEvent[], callId: string): boolean {
  return events.some(
    (event) => event.type === "tool_result" && event.id === callId && event.failed === true,
  );
}

function finishRouting(call: ToolCallEvent, { reason, summary }: Finish): RoundRouting {
  return { kind: "finish", tool: call.name, reason: textOr(reason, "finished"), summary };
}

function handoffRouting(
  call: ToolCallEvent,
  { target, reason }: Handoff,
  resolveName: RoutingSources["resolveName"],
): RoundRouting {
  const id = resolveName(target) ?? target;
  return { kind: "handoff", tool: call.name, reason: textOr(reason, ""), target: id };
}

/** Values that only look like the type may lack a reason. */
function textOr(value: unknown, missing: string): string {
  return typeof value === "string" && value !== "" ? value : missing;
}

function reasonArgument(call: ToolCallEvent): string {
  const args = typeof call.arguments === "string" ? parseArguments(call.arguments) : call.arguments;
  return isRecord(args) ? ownText(args, "reason") : "";
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
