import { type ChannelMetadata, participantOrder } from "@colloquy/protocol";
import type { TurnCounts } from "../knobs/turn-limits.js";
import type { MovedTurn } from "../members/moved-turn.js";
import type { Rotation } from "../members/rotation.js";

/** Whose turn it is in a rotation. */
export interface DiscussionState extends TurnCounts, Rotation, MovedTurn {
  readonly expected_next_speaker: string;
  readonly last_speaker_id: string | null;
  readonly last_envelope_id: string | null;
}

/** Before the first text: the creator is to speak, whatever its place in the rotation. */
export function initialDiscussionState(channel: ChannelMetadata): DiscussionState {
  return {
    participant_order: participantOrder(channel),
    expected_next_speaker: channel.creator_id,
    last_speaker_id: null,
    last_envelope_id: null,
    turn_count: 0,
    automatic_turns: 0,
  };
}
