import type { Envelope, EnvelopeDraft } from "@colloquy/protocol";
import type { Reply } from "../agent/agent.js";
import { findParticipant } from "../channel/find-participant.js";
import type { PreparedTurn } from "./prepare-turn.js";

/** Input of {@link encodeRound}. */
export interface FinishedTurn {
  readonly turn: Pick<PreparedTurn, "adapter" | "metadata" | "state" | "names">;
  readonly agentId: string;
  readonly trigger: Envelope;
  readonly reply: Reply;
  /** True when a tool has spoken in the channel during the turn. */
  readonly alreadySpoke: boolean;
  /** What the answer carries as its `trace_id`; default: what the trigger carries. */
  readonly traceparent?: string | null | undefined;
}

/** Key under which the answer to an envelope is posted, so that it stands in the log once. */
export function answerKey(envelopeId: string): string {
  return `turn:${envelopeId}`;
}

/**
 * The envelope that ends a turn, as the channel type builds it; null for none. It names the trigger
 * as its cause, and carries the trigger's depth and the turn's trace on.
 */
export function encodeRound(finished: FinishedTurn): EnvelopeDraft | null {
  const { turn, agentId, trigger, reply } = finished;
  const { metadata, names } = turn;
  const draft = turn.adapter.roundEnvelope({
    channelId: trigger.channel_id,
    senderId: agentId,
    body: reply.text ?? "",
    parts: reply.parts,
    events: reply.events,
    state: turn.state,
    knobs: metadata.knobs,
    trigger,
    alreadySpoke: finished.alreadySpoke,
    resolveName: (name) => findParticipant(name, names),
  });
  if (draft === null) return null;
  return {
    ...draft,
    sender_id: agentId,
    causation_id: trigger.envelope_id,
    idempotency_key: answerKey(trigger.envelope_id),
    depth: trigger.depth,
    trace_id: draft.trace_id ?? finished.traceparent ?? trigger.trace_id,
  };
}
