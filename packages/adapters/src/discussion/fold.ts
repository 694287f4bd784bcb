import { type Envelope, EV_TEXT } from "@colloquy/protocol";
import { produce } from "../fold/produce.js";
import { countAutomaticTurns } from "../knobs/turn-limits.js";
import { nextInOrder } from "../members/next-in-order.js";
import type { DiscussionState } from "./state.js";

/** A text hands the turn to the next in the rotation; nothing else, and no stranger, changes the state. */
export function foldDiscussion(state: DiscussionState, envelope: Envelope): DiscussionState {
  if (envelope.event_type !== EV_TEXT) return state;
  const next = nextInOrder(state.participant_order, envelope.sender_id);
  if (next === null) return state;
  return produce(state, (draft) => {
    draft.expected_next_speaker = next;
    draft.automatic_turns = countAutomaticTurns(state, envelope);
    draft.turn_count += 1;
    draft.last_speaker_id = envelope.sender_id;
    draft.last_envelope_id = envelope.envelope_id;
  });
}
