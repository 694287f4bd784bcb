import { isFinish, isHandoff, type RoundEvent, type Tool } from "@colloquy/protocol";
import type { Turn } from "../agent/agent.js";
import { messageOf } from "../errors.js";
import type { AskedTool } from "./ask-once.js";

/** Result of a call that would hand on or end what an earlier call has handed on or ended. */
const NOT_TAKEN =
  "Error: not taken: the floor was handed on, or the channel ended, by an earlier call";

/** Longest part of broken arguments that is shown to the model again. */
const MAX_QUOTED = 500;

/** What came of a call, as the model reads it. */
export interface CallOutcome {
  readonly text: string;
  readonly failed: boolean;
}

/** The tool calls of one turn. */
export interface ToolCalls {
  /** What the model is offered: the agent's own tools, then those of the turn. */
  readonly tools: readonly Tool[];
  /** Calls and results so far, in the order of the calls. */
  readonly events: readonly RoundEvent[];
  /** A tool has handed the floor on or ended the channel: the turn is over. */
  readonly routed: boolean;
  /**
   * Runs a call. What is wrong with it, and what the tool throws, becomes a result that starts with
   * `Error: `. Rejects only when the turn is stopped.
   */
  run(call: AskedTool): Promise<CallOutcome>;
}

/** Makes the {@link ToolCalls} of a turn. A tool of the agent's own stands before one of its name. */
export function createToolCalls(
  turn: Pick<Turn, "tools" | "signal">,
  own: readonly Tool[],
): ToolCalls {
  const names = new Set(own.map(({ name }) => name));
  const tools = [...own, ...turn.tools.filter(({ name }) => !names.has(name))];
  const events: RoundEvent[] = [];
  let routed = false;

  const resultOf = async (call: AskedTool): Promise<unknown> => {
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) {
      const known = tools.map(({ name }) => name).join(", ");
      return new Error(`there is no tool '${call.name}'; there are: ${known || "none"}`);
    }
    if (typeof call.arguments === "string") {
      const shown = call.arguments.slice(0, MAX_QUOTED);
      return new Error(`${call.name}: the arguments are no JSON object: ${shown}`);
    }
    try {
      return await tool.run(call.arguments, { signal: turn.signal, callId: call.id });
    } catch (error) {
      turn.signal.throwIfAborted();
      return new Error(messageOf(error));
    }
  };
  /** What stands in the round's events: plain JSON, or what routes the round. */
  const settle = (result: unknown): { result: unknown; failed: boolean } => {
    if (isHandoff(result) || isFinish(result)) {
      if (routed) return { result: NOT_TAKEN, failed: true };
      routed = true;
      return { result, failed: false };
    }
    if (result instanceof Error) return { result: `Error: ${result.message}`, failed: true };
    try {
      return { result: JSON.parse(JSON.stringify(result ?? null)), failed: false };
    } catch {
      return { result: "Error: the result cannot be written as JSON", failed: true };
    }
  };
  return {
    tools,
    events,
    get routed() {
      return routed;
    },
    async run({ id, name, arguments: args }) {
      const { result, failed } = settle(await resultOf({ id, name, arguments: args }));
      events.push(
        { type: "tool_call", id, name, arguments: args },
        { type: "tool_result", id, result },
      );
      return { text: typeof result === "string" ? result : JSON.stringify(result), failed };
    },
  };
}
