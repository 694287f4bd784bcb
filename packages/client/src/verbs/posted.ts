/** What a post gave. */
export interface Posted {
  readonly envelope_id: string;
  /** Place in the channel, from 1; null where the hub's profile does not say. */
  readonly position: number | null;
  /** ISO time of admission; null where the hub's profile does not say. */
  readonly created_at: string | null;
  /** True when the idempotency key had been seen: this is the first result again. */
  readonly duplicate: boolean;
  /** Sentences for the sender, such as a hand-off target that nobody answers to. */
  readonly notes: readonly string[];
}
