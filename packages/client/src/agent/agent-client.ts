import type { Envelope, Tool } from "@colloquy/protocol";
import type { RunTask } from "../task/agent-tasks.js";
import type { TaskEvents } from "../task/task-events.js";
import type { ParticipantClient } from "./participant-client.js";

/** How an envelope came. */
export interface DeliveryFacts {
  /** Position in its channel, from 1; null on the bare profile. */
  readonly position: number | null;
  /** How often the hub has sent it to this participant, from 1. */
  readonly attempt: number;
  /** Aborted when the channel has ended or the participant stops. */
  readonly signal: AbortSignal;
  /**
   * Tells the hub that work on it begins, for the envelope's ledger; harmless when repeated. The
   * default handler calls it when its turn may begin; absent where nothing was delivered.
   */
  takeUp?(): void;
}

/**
 * Deals with an envelope. It is acknowledged when the handler has ended; when it throws, the hub
 * delivers it again within its limits. One at a time per channel, different channels in parallel.
 */
export type EnvelopeHandler = (
  envelope: Envelope,
  client: AgentClient,
  delivery: DeliveryFacts,
) => void | Promise<void>;

/** Options of {@link AgentClient.consult}. */
export interface ConsultOptions {
  /**
   * Milliseconds to wait for the answer; default 300,000; null: no limit. The channel of the question
   * lives as long, where the rule of the one who asks or the channel type would end it earlier.
   */
  readonly timeoutMs?: number | null | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the other is asked for; becomes the channel's knob `capability`. */
  readonly capability?: string | undefined;
  /** Delegation hops of the question; inside a turn one more than that of its trigger, else 1. */
  readonly depth?: number | undefined;
  /** Channel in whose course the question is asked; inside a turn that of the turn. */
  readonly parent?: string | undefined;
  /** Hears how far it has come: the channel is open, and then the question is in it. */
  onStage?(stage: ConsultStage): void;
  /** `trace_id` of the question; inside a turn that of the turn. */
  readonly traceparent?: string | null | undefined;
}

/** See {@link ConsultOptions.onStage}. */
export type ConsultStage = "opened" | "asked";

/** An agent that takes part in channels through this client. */
export interface AgentClient extends ParticipantClient {
  /** Replaces the handler; null brings the default one back. */
  onEnvelope(handler: EnvelopeHandler | null): void;
  /** Accepts invitations and runs turns; what {@link AgentClient.onEnvelope} replaces. */
  readonly defaultHandler: EnvelopeHandler;
  /**
   * Runs the turns that the hub says are owed, and resolves with their number when they have ended.
   * Turns that open a conversation have nothing to answer and are left out.
   */
  resumePendingTurns(): Promise<number>;
  /**
   * Asks another participant one question in a channel of its own and resolves with the answer's
   * text. Works inside a turn too. Rejects with `client/timed_out`, `client/channel_ended`,
   * `client/aborted`, or the hub's refusal; a channel that has no answer by then is closed.
   *
   * @param target - name or id
   */
  consult(target: string, prompt: string, options?: ConsultOptions): Promise<string>;
  /**
   * Runs a piece of work as a task: the scope is entered, the work is called with the task and its
   * value given back. A throw fails the task and is passed on; a normal end completes it. The hub is
   * told of each step by a mirror, whose failures never reach the work. Inside a turn use
   * `turn.context.task`, so that the task belongs to the turn's channel and peers there can see it
   * and ask for its cancel.
   */
  readonly task: RunTask;
  /** The steps of every task that the agent runs here, in turns and outside. */
  readonly taskEvents: TaskEvents;
  /**
   * The network tools, as they work outside a turn: without a current channel or task. Empty when
   * the agent was registered without them.
   */
  readonly tools: readonly Tool[];
  /** {@link ParticipantClient.unregister}, and the hub client too when it was made for this agent alone. */
  close(): Promise<void>;
}
