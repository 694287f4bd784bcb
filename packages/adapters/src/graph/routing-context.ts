import type { Envelope } from "@colloquy/protocol";

/** What conditions and targets may look at: the state with the envelope's turn already in it. */
export interface RoutingState {
  readonly participant_order: readonly string[];
  /** Members that are passed over; absent for none. */
  readonly hidden_participants?: readonly string[] | undefined;
  /** Who has just spoken. */
  readonly last_speaker_id: string | null;
  readonly creator_id: string;
  readonly turn_count: number;
  readonly context_vars: Readonly<Record<string, unknown>>;
}

/** Input of every condition and target. */
export interface RoutingContext {
  /** The turn that was just taken. */
  readonly envelope: Envelope;
  readonly state: RoutingState;
}

/** Who speaks next; nobody means that the channel closes for that reason. */
export interface Decision {
  readonly next_speaker: string | null;
  /** Null while the channel goes on. */
  readonly close_reason: string | null;
}

/** The channel goes on with this speaker. */
export function speaks(agentId: string): Decision {
  return { next_speaker: agentId, close_reason: null };
}

/** The channel closes with this reason. */
export function closes(reason: string): Decision {
  return { next_speaker: null, close_reason: reason };
}
