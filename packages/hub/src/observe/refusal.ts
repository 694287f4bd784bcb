/** What a {@link Refusal} was asked for. */
export type RefusedThing =
  /** An envelope. */
  | "post"
  /** An answer to an invitation. */
  | "invite"
  /** A new channel; also one whose invitees did not take part. */
  | "open"
  | "registration"
  /** A hello: somebody who wanted to speak for an agent. */
  | "authentication"
  /** Any other operation of a connection. */
  | "operation"
  | "receipt"
  /** A message that is no frame, or a frame that is no request. */
  | "frame"
  /** A connection as such. */
  | "connection";

/** What is known of something refused: who wanted what, and where. Never a text, a claim or a key. */
export interface RefusalFacts {
  readonly what: RefusedThing;
  /** The check that refused it, where it has a name: a gate of the arbiter, a method of the adapter, `binding`, `membership`. */
  readonly gate?: string | undefined;
  /** The agent behind it, as far as it is proven. */
  readonly agent_id?: string | undefined;
  /** The name that was given, proven or not. */
  readonly name?: string | undefined;
  readonly endpoint_id?: string | undefined;
  /** Where the connection comes from. */
  readonly peer?: string | undefined;
  /** Agents bound to the connection, 16 at most. */
  readonly agents?: readonly string[] | undefined;
  /** Operation, or kind of frame. */
  readonly op?: string | undefined;
  readonly channel_id?: string | undefined;
  readonly event_type?: string | undefined;
  /** Whom or what it reached for, 80 characters at most. */
  readonly target?: string | undefined;
  readonly idempotency_key?: string | undefined;
  readonly causation_id?: string | undefined;
  /** The id that came with the envelope. It was never the envelope's: that is given with the commit. */
  readonly envelope_id?: string | undefined;
}

/** Something that the hub has refused. */
export interface Refusal extends RefusalFacts {
  /** Leads from the error that the refused side got to the audit record. */
  readonly refusal_id: string;
  /** Code of the error. */
  readonly code: string;
  /** For the operator; may say more than the refused side was told. 500 characters at most. */
  readonly reason: string;
  /** True when the audit log has it only as part of a count, under the same `refusal_id`. */
  readonly counted: boolean;
}
