import { isFinish, isHandoff, type RoundEvent, type Tool } from "@colloquy/protocol";
import type { Turn } from "../agent/agent.js";
export type AgentTool = Tool;
export interface ToolOutcome {
  readonly result: unknown;
  readonly text: string;
  readonly failed: boolean;
  readonly taken: boolean;
}
export interface ToolRunner {
  readonly tools: readonly AgentTool[];
  run(call: {
    id: string;
    name: string;
    arguments: string | Readonly<Record<string, unknown>>;
  }): Promise<ToolOutcome>;
  readonly events: readonly RoundEvent[];
  readonly routed: boolean;
}
export function createToolRunner(turn: Turn, own: readonly AgentTool[] = []): ToolRunner {
  const tools = [...own, ...turn.tools];
  const events: RoundEvent[] = [];
  let routed = false;
  return {
    tools,
    events,
    get routed() {
      return routed;
    },
    async run(call) {
      events.push({ type: "tool_call", ...call });
      const tool = tools.find(({ name }) => name === call.name);
      let result: unknown;
      let failed = true;
      if (tool === undefined) result = `Error: unknown tool '${call.name}'`;
      else if (typeof call.arguments === "string") result = "Error: arguments are no JSON object";
      else {
        result = await tool.run(call.arguments, { signal: turn.signal, callId: call.id });
        failed = false;
      }
      const taken = !routed;
      routed ||= isHandoff(result) || isFinish(result);
      events.push({ type: "tool_result", id: call.id, result });
      const text = typeof result === "string" ? result : JSON.stringify(result ?? null);
      return { result, text, failed, taken };
    },
  };
}
