import type { ChannelMetadata, DeadLetter, Envelope, Expectation } from "@colloquy/protocol";
import type { Refusal } from "./refusal.js";

/** Kinds of {@link HubListener.onChannelEvent}. */
export type ChannelEventKind =
  | "created"
  | "opened"
  | "closing"
  | "closed"
  | "expired"
  | "quarantined"
  | ParticipantEventKind;

/** Kinds of channel event about one participant; the payload has `agent_id`, `by`, `reason`, `metadata`. */
export type ParticipantEventKind =
  | "participant_invited"
  | "participant_joined"
  | "participant_left"
  | "participant_removed"
  | "participant_hidden"
  | "participant_shown"
  | "invite_lapsed";

/** Kinds of {@link HubListener.onAgentEvent}. */
export type AgentEventKind =
  | "registered"
  | "unregistered"
  | "resume_set"
  | "skill_set"
  | "rule_set"
  | "observation_recorded"
  | "bound"
  | "unbound";

/** A failed turn, as its agent reported it. */
export interface TurnFailure {
  readonly channel_id: string;
  readonly agent_id: string;
  readonly envelope_id: string;
  readonly error: string;
}

/**
 * Watches after the fact. Every member is optional and synchronous; a throw is logged and hurts
 * nobody. Called in order of registration.
 */
export interface HubListener {
  /** After the commit. Not for acks, rejects, and the hub's own closing notices. */
  onEnvelopePosted?(envelope: Envelope, channel: ChannelMetadata): void;
  onEnvelopeRejected?(envelope: Envelope, error: Error): void;
  /** Anything that the hub refused, after the decision; an envelope's comes after `onEnvelopeRejected`. */
  onRefused?(refusal: Refusal): void;
  onDispatchFailed?(envelope: Envelope, recipientId: string, reason: string): void;
  /**
   * Every recipient of an envelope has been tried once, or waits for its return, as those do whom a
   * hub that closes has not tried. `failures` counts who could not be reached: the connection failed,
   * or the remote proxy did, or there is none.
   */
  onEnvelopeDispatched?(envelope: Envelope, failures: number): void;
  /** Somebody has asked to deliver a dead letter again; it is outstanding from now on. */
  onDeadLetterRetried?(letter: DeadLetter): void;
  /** A dead letter is gone for good: on request, for lack of room, or with its recipient. */
  onDeadLetterDropped?(letter: DeadLetter, reason: string): void;
  /** An envelope was given up for a recipient after its last attempt, or because its time was over. */
  onDeadLetter?(envelopeId: string, channelId: string, recipientId: string, reason: string): void;
  onChannelEvent?(
    channelId: string,
    kind: ChannelEventKind,
    payload: Readonly<Record<string, unknown>>,
  ): void;
  onAgentEvent?(
    agentId: string,
    kind: AgentEventKind,
    payload: Readonly<Record<string, unknown>>,
  ): void;
  onTaskEvent?(taskId: string, kind: string, payload: Readonly<Record<string, unknown>>): void;
  onTurnFailed?(failure: TurnFailure): void;
  /**
   * A promise about a channel was broken. `violators` is empty when it is about the channel as a
   * whole; `detail` has `elapsed_seconds`, `threshold_seconds` and what the evaluator adds.
   */
  onExpectationFired?(
    channelId: string,
    expectation: Expectation,
    violators: readonly string[],
    detail: Readonly<Record<string, unknown>>,
  ): void;
  /** Once per crossing of the high-water mark. */
  onInboxPressure?(agentId: string, pending: number, cap: number): void;
}

/** All listeners of a hub, as one. */
export interface Listeners {
  readonly count: number;
  add(listener: HubListener): void;
  remove(listener: HubListener): void;
  /** Calls one hook on every listener; faults are logged. */
  emit<K extends keyof HubListener>(
    hook: K,
    ...args: Parameters<NonNullable<HubListener[K]>>
  ): void;
}
