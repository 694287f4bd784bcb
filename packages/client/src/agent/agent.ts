import type {
  ChannelMetadata,
  Content,
  ContentPartInput,
  Envelope,
  Message,
  RoundEvent,
  Tool,
  TraceContext,
} from "@colloquy/protocol";
import type { Channel } from "../channel/channel.js";
import type { RunTask } from "../task/agent-tasks.js";
import type { Task } from "../task/task.js";
import type { HubPort } from "../verbs/hub-port.js";
import type { AgentClient } from "./agent-client.js";

/** Where a turn stands in a trace. */
export interface TurnTrace {
  /** What the trigger's `traceparent` says; null when it brought none. */
  readonly cause: TraceContext | null;
  /** The `traceparent` that everything posted in this turn carries; at first that of the trigger. */
  readonly traceparent: string | null;
  /** Puts a span of the turn's own in its place, for all that is posted from now on. */
  carry(traceparent: string): void;
}

/** What a turn's tools and code may reach, beside what the model sees. */
export interface TurnContext {
  readonly channel: Channel;
  /** Folded state of the channel when the turn began. */
  readonly state: unknown;
  /** The agent's client; channels opened and questions asked through it count as one hop further. */
  readonly client: AgentClient;
  readonly hub: HubPort;
  /**
   * {@link AgentClient.task} within this turn: the task belongs to the turn's channel, its signal is
   * aborted with the turn, and the hub knows how it ended before the answer is posted.
   */
  readonly task: RunTask;
  /** The task of this turn that was entered last and has not been left; null outside any. */
  readonly activeTask: Task | null;
  readonly trace: TurnTrace;
  /** Id to name of everybody in the channel. */
  readonly names: Readonly<Record<string, string>>;
  /**
   * Names of the tools that hand the floor on by being called; null where the channel type has no
   * routing, and a handoff or finish means nothing.
   */
  readonly routingTools: ReadonlySet<string> | null;
}

/** One turn of an agent: all that it needs to answer an envelope. */
export interface Turn {
  readonly channel: ChannelMetadata;
  readonly agentId: string;
  /** The envelope to answer. */
  readonly envelope: Envelope;
  /** What was said before, as the agent's view shows it. */
  readonly history: readonly Message[];
  /** What to answer, as the view shows it. */
  readonly input: Content;
  /** Tools of the channel type, and the network tools unless the agent goes without them. */
  readonly tools: readonly Tool[];
  /** Sentences to put before the agent's own instructions; none without the network tools. */
  readonly instructions: readonly string[];
  readonly context: TurnContext;
  /** How often the hub has delivered the envelope, from 1. */
  readonly attempt: number;
  /**
   * Aborted when the channel has ended, the time is up, the agent stops, or a task of the turn is
   * cancelled; only after the last an answer is still posted.
   */
  readonly signal: AbortSignal;
  /**
   * Shows a piece of the answer while it is written, to those members who may see the envelope that it
   * answers. Pieces are gathered for a moment and may get lost; the reply is the truth. After the turn's
   * end, or once its signal is aborted, it shows nothing.
   */
  onDelta(text: string): void;
}

/** What came of a turn. */
export interface Reply {
  /** The final text; null or blank for a silent turn. */
  readonly text: string | null;
  /** Pictures, sounds and documents that go with the text. */
  readonly parts?: readonly ContentPartInput[] | undefined;
  /** Tool calls and their results, in order. A result may be a handoff or a finish. */
  readonly events: readonly RoundEvent[];
}

/** Something that can take turns: a model with tools, a script, a person's program. */
export interface Agent {
  readonly name: string;
  /** Answers. A throw counts as a crashed turn, which the hub has tried again within its limits. */
  ask(turn: Turn): Promise<Reply>;
}
