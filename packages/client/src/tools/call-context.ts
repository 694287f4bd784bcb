import type { Turn } from "../agent/agent.js";
import type { ToolCallContext } from "./agent-tool.js";
import type { ContextVariables } from "./context-variables.js";

/** Which call it is. */
export interface NumberedCall {
  readonly id: string;
  readonly name: string;
  /** Calls of the same tool that have succeeded before it in the turn. */
  readonly succeeded: number;
}

/** What one call of a tool may know; what belongs to the turn is read when it is asked for. */
export function callContext(
  turn: Turn,
  call: NumberedCall,
  variables: () => ContextVariables,
): ToolCallContext {
  return {
    turn,
    signal: turn.signal,
    callId: call.id,
    key: callKey(turn, call),
    get channel() {
      return turn.context.channel;
    },
    get state() {
      return turn.context.state;
    },
    get client() {
      return turn.context.client;
    },
    get hub() {
      return turn.context.hub;
    },
    get task() {
      return turn.context.activeTask;
    },
    get trace() {
      return turn.context.trace;
    },
    get variables() {
      return variables().current;
    },
    setContext: async (values) => variables().set(values),
    deleteContext: async (...names) => variables().delete(names),
  };
}

function callKey({ channel, envelope }: Turn, { name, succeeded }: NumberedCall): string {
  return `call:${channel.channel_id}:${envelope.envelope_id}:${name}:${succeeded + 1}`;
}
