import { type Envelope, isProtocolEvent, type Priority, parseTimestamp } from "@colloquy/protocol";

/**
 * How an outstanding envelope stands with its recipient.
 *
 * - `parked`: nobody has asked for it on the present connection, or there is none.
 * - `queued`: it goes out as soon as there is room.
 * - `sent`: handed to the connection, without a receipt so far.
 * - `waiting`: refused by the recipient; it is queued again when its delay is over.
 */
export type OutstandingState = "parked" | "queued" | "sent" | "waiting";

/** Place of a priority: 0 for urgent, 1 for normal, 2 for background. */
export type Rank = 0 | 1 | 2;

/** One envelope that one recipient has not settled. Its body is read again when it is needed. */
export interface Outstanding {
  readonly position: number;
  readonly envelopeId: string;
  /** True when it counts against the recipient's inbox. */
  readonly substantive: boolean;
  readonly senderId: string;
  readonly eventType: string;
  /** 0 for urgent, 1 for normal, 2 for background. */
  readonly rank: Rank;
  /** Epoch milliseconds after which it is not delivered any more; infinite for never. */
  readonly expiresAt: number;
  state: OutstandingState;
  /** How often it has been sent. */
  attempt: number;
  /** How often the recipient has refused it. */
  refusals: number;
  /** Why it was refused last. */
  reason: string;
  /** Times in epoch milliseconds, 0 for none: when it was released, and of its newest attempt. */
  readonly queuedAt: number;
  sentAt: number;
  takenUpAt: number;
  failedAt: number;
  /** True when it was given up before and somebody has asked to try again: no floor speaks of it. */
  readonly retried: boolean;
}

const RANKS: { readonly [P in Priority]: Rank } = { urgent: 0, normal: 1, background: 2 };

/** What an entry is made from. */
export interface NewOutstanding {
  readonly envelope: Envelope;
  readonly position: number;
  /** Epoch milliseconds at which it was released. */
  readonly queuedAt: number;
  readonly retried: boolean;
}

/** Makes the parked entry of an envelope. */
export function createOutstanding(facts: NewOutstanding): Outstanding {
  const { envelope, position, queuedAt, retried } = facts;
  return {
    position,
    envelopeId: envelope.envelope_id,
    substantive: !isProtocolEvent(envelope.event_type),
    senderId: envelope.sender_id,
    eventType: envelope.event_type,
    rank: RANKS[envelope.priority],
    expiresAt: expiryOf(envelope),
    state: "parked",
    attempt: 0,
    refusals: 0,
    reason: "",
    queuedAt,
    sentAt: 0,
    takenUpAt: 0,
    failedAt: 0,
    retried,
  };
}

/** Milliseconds from a refusal, counted from 1, to the next attempt: each is twice the one before, up to a bound. */
export function redeliveryDelay(
  limits: { readonly redeliveryBaseMs: number; readonly redeliveryMaxMs: number },
  refusals: number,
): number {
  return Math.min(limits.redeliveryBaseMs * 2 ** (refusals - 1), limits.redeliveryMaxMs);
}

function expiryOf({ ttl_seconds, created_at }: Envelope): number {
  if (ttl_seconds === null) return Number.POSITIVE_INFINITY;
  const createdAt = parseTimestamp(created_at);
  return createdAt === null ? Number.POSITIVE_INFINITY : createdAt + ttl_seconds * 1000;
}
