import { createPositionMap, type PositionMap } from "../core/position-map.js";

/** What is remembered of an envelope that answers another. */
export interface RememberedAnswer {
  readonly envelope_id: string;
  readonly position: number;
  readonly created_at: string;
  readonly event_type: string;
}

/** Answers by sender and cause, and depths, over the newest envelopes of one channel. */
export interface CausationIndex {
  readonly size: number;
  /** The newest envelope by which this sender answered that one. */
  find(senderId: string, causationId: string): RememberedAnswer | undefined;
  /** The sender's text or packet that answered that one. */
  findReply(senderId: string, causationId: string): RememberedAnswer | undefined;
  /** Delegation depth of an envelope; 0 when it is not remembered. */
  depthOf(envelopeId: string): number;
  /** Largest depth that is remembered. */
  deepest(): number;
  /** Adds an envelope; positions only grow. */
  add(envelope: RememberedEnvelope): void;
  /** Forgets what stands below this position. */
  forgetBelow(position: number): void;
}

/** What {@link CausationIndex.add} reads of an envelope. */
export interface RememberedEnvelope extends RememberedAnswer {
  readonly sender_id: string;
  readonly causation_id: string | null;
  readonly depth: number;
  /** A text or packet, of which an agent posts one per cause. */
  readonly isReply: boolean;
}

/** Makes an empty {@link CausationIndex}. */
export function createCausationIndex(): CausationIndex {
  return new AnswersByCause();
}

/** Every open channel has one, so storage waits for its first entry. */
class AnswersByCause implements CausationIndex {
  #answers: PositionMap<RememberedAnswer> | null = null;
  #replies: PositionMap<RememberedAnswer> | null = null;
  /** Only depths above 0 are kept, so that an ordinary channel keeps none. */
  #depths: PositionMap<number> | null = null;

  get size(): number {
    return this.#answers?.size ?? 0;
  }

  find(senderId: string, causationId: string): RememberedAnswer | undefined {
    return this.#answers?.get(indexKey(senderId, causationId));
  }

  findReply(senderId: string, causationId: string): RememberedAnswer | undefined {
    return this.#replies?.get(indexKey(senderId, causationId));
  }

  depthOf(envelopeId: string): number {
    return this.#depths?.get(envelopeId) ?? 0;
  }

  deepest(): number {
    let most = 0;
    for (const depth of this.#depths?.values() ?? []) most = Math.max(most, depth);
    return most;
  }

  add({ sender_id, causation_id, depth, isReply, ...answer }: RememberedEnvelope): void {
    const { envelope_id, position } = answer;
    if (depth > 0) {
      this.#depths ??= createPositionMap();
      this.#depths.set(envelope_id, depth, position);
    }
    if (causation_id === null) return;
    const key = indexKey(sender_id, causation_id);
    this.#answers ??= createPositionMap();
    this.#answers.set(key, answer, position);
    if (!isReply) return;
    this.#replies ??= createPositionMap();
    this.#replies.set(key, answer, position);
  }

  forgetBelow(position: number): void {
    this.#answers?.forgetBelow(position);
    this.#replies?.forgetBelow(position);
    this.#depths?.forgetBelow(position);
  }
}

function indexKey(senderId: string, causationId: string): string {
  return `${senderId.length} ${senderId} ${causationId}`;
}
