/** What kind of thing is wrong. */
export type FindingKind =
  /** The body is no envelope. */
  | "bad_body"
  /** Positions of a channel do not follow each other. */
  | "hole"
  /** An id does not sort above the one before it. */
  | "id_order"
  /** The content is not the one that was digested. */
  | "content"
  /** The hash does not follow from what stands before. */
  | "hash"
  /** A column beside the body says something else than the body. */
  | "column"
  /** Rows do not follow each other, or do not point to the envelope before. */
  | "row"
  /** The payload of a core event has not its shape. */
  | "payload"
  /** The sender takes no part in the channel. */
  | "sender"
  /** The channel's protocol does not allow the envelope where it stands. */
  | "turn"
  /** The channel's state cannot be computed past the envelope. */
  | "fold"
  /** An envelope stands behind the end of its channel, or the end is missing. */
  | "end"
  /** The stored end of the WAL is not where the envelopes end. */
  | "head"
  /** A stored snapshot is not the state at its position. */
  | "snapshot"
  /** Envelopes without their channel, or a channel that cannot be read. */
  | "channel";

/** One thing that is wrong, and where. */
export interface Finding {
  readonly kind: FindingKind;
  readonly channel_id: string;
  /** 0 for the channel as a whole. */
  readonly position: number;
  readonly row: number;
  readonly envelope_id: string;
  /** One sentence for people. */
  readonly message: string;
}
