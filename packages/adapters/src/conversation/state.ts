import type { TurnCounts } from "../knobs/turn-limits.js";

/** Who spoke last, and how often somebody did. */
export interface ConversationState extends TurnCounts {
  readonly last_speaker_id: string | null;
  readonly last_envelope_id: string | null;
}

/** Before the first text. */
export function initialConversationState(): ConversationState {
  return { turn_count: 0, last_speaker_id: null, last_envelope_id: null, automatic_turns: 0 };
}
