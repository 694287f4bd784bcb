/** What can be wrong with a log, or with a log and a journal together. */
export type FindingKind =
  /** A line is not what the format says. */
  | "format"
  /** Lines are missing, were added, or stand in the wrong order. */
  | "count"
  /** Rows do not rise. */
  | "row"
  /** A position does not follow the one before it. */
  | "hole"
  /** An id does not sort above the one before it. */
  | "id_order"
  /** A content is not the one that was digested. */
  | "content"
  /** A hash does not follow from the one before it. */
  | "hash"
  /** An envelope is of a channel that the log does not hold. */
  | "channel"
  /** Somebody sends or is addressed who takes no part. */
  | "member"
  /** A channel was not invited to, opened or used in the order that every channel has. */
  | "course"
  /** A channel does not end, ends twice, or goes on behind its end. */
  | "end"
  /** A turn was not its speaker's. */
  | "turn"
  /** One cause was answered twice by one agent. */
  | "reply"
  /** One idempotency key was used twice. */
  | "repeat"
  /** What a member is said to have settled cannot be. */
  | "settled"
  /** A post was acknowledged and is not there. */
  | "lost"
  /** A post was acknowledged and stands there as another. */
  | "altered"
  /** One post was acknowledged as two envelopes. */
  | "doubled"
  /** Something was delivered that is not in the log. */
  | "phantom"
  /** Something was delivered to somebody who may not see it. */
  | "leak"
  /** A channel was first seen in another order than that of the log. */
  | "disorder"
  /** A member that has caught up has not seen everything. */
  | "missed"
  /** A turn that an agent says it has taken does not fit the log. */
  | "taken";

/** One thing that is wrong. */
export interface Finding {
  readonly kind: FindingKind;
  /** File and line. */
  readonly where: string;
  /** One sentence for people. */
  readonly message: string;
}
