import type { JsonSchema, ToolContext } from "@colloquy/protocol";
import type { Turn, TurnTrace } from "../agent/agent.js";
import type { AgentClient } from "../agent/agent-client.js";
import type { Channel } from "../channel/channel.js";
import type { Task } from "../task/task.js";
import type { HubPort } from "../verbs/hub-port.js";

/** What a tool call within a turn may know and do. No model sees any of it. */
export interface ToolCallContext extends ToolContext {
  readonly turn: Turn;
  readonly channel: Channel;
  /** Folded state of the channel when the turn began. */
  readonly state: unknown;
  /** The agent's client as the turn has it: what it does elsewhere counts as one hop further. */
  readonly client: AgentClient;
  readonly hub: HubPort;
  /** The task of the turn that is under way; null outside any. */
  readonly task: Task | null;
  readonly trace: TurnTrace;
  /**
   * Names this call across attempts: made of the channel, the envelope that the turn answers, the
   * tool, and how many of its calls have succeeded before in the turn. A turn that is run again, also
   * by a new process, gives the same call the same key; so does a call that is repeated because it
   * failed. A tool that must not act twice notes the key with what it did.
   */
  readonly key: string;
  /** Context variables as the turn knows them: those at its beginning, and what it has set since. */
  readonly variables: Readonly<Record<string, unknown>>;
  /**
   * Sets context variables at once, so that the routing of the turn's answer sees them. They stay set
   * when the turn fails. Rejects with a {@link TypeError} where the channel keeps none, and with the
   * signal's reason once the turn is stopped.
   */
  setContext(values: Readonly<Record<string, unknown>>): Promise<void>;
  /** Deletes context variables; see {@link ToolCallContext.setContext}. */
  deleteContext(...names: string[]): Promise<void>;
}

/** A tool that an agent brings into its turns. Every `Tool` of `@colloquy/protocol` is one. */
export interface AgentTool {
  /** As a model calls it: letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** Shape of the arguments, as a model sees it. */
  readonly parameters: JsonSchema;
  /**
   * Runs it. The result is shown to the model: a text, or anything that JSON can hold. A `Handoff` or
   * a `Finish` also routes the round. A throw is shown as a sentence that starts with `Error: `.
   */
  run(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<unknown>;
}
