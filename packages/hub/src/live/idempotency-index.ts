import { createPositionMap, type PositionMap } from "../core/position-map.js";

/** What is remembered of an envelope that carried an idempotency key. */
export interface RememberedPost {
  readonly envelope_id: string;
  readonly position: number;
  readonly created_at: string;
  readonly event_type: string;
  /** Digest of the content as it stands in the WAL. */
  readonly digest: string;
}

/**
 * Envelopes by sender and idempotency key, over the newest envelopes of one channel.
 *
 * A key means something for one sender in one channel and nowhere else.
 */
export interface IdempotencyIndex {
  readonly size: number;
  find(senderId: string, key: string): RememberedPost | undefined;
  /** Adds an envelope; positions only grow. */
  add(senderId: string, key: string, post: RememberedPost): void;
  /** Forgets what stands below this position. */
  forgetBelow(position: number): void;
}

/** Makes an empty {@link IdempotencyIndex}. */
export function createIdempotencyIndex(): IdempotencyIndex {
  return new PostsByKey();
}

/** Every open channel has one, so storage waits for its first entry. */
class PostsByKey implements IdempotencyIndex {
  #byKey: PositionMap<RememberedPost> | null = null;

  get size(): number {
    return this.#byKey?.size ?? 0;
  }

  find(senderId: string, key: string): RememberedPost | undefined {
    return this.#byKey?.get(indexKey(senderId, key));
  }

  add(senderId: string, key: string, post: RememberedPost): void {
    this.#byKey ??= createPositionMap();
    this.#byKey.set(indexKey(senderId, key), post, post.position);
  }

  forgetBelow(position: number): void {
    this.#byKey?.forgetBelow(position);
  }
}

function indexKey(senderId: string, key: string): string {
  return `${senderId.length} ${senderId} ${key}`;
}
