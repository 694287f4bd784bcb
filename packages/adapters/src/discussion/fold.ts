import { type Envelope, EV_TEXT, EV_TURN_REASSIGNED, PARTICIPANT_EVENTS } from "@colloquy/protocol";
import { produce } from "../fold/produce.js";
import { countAutomaticTurns } from "../knobs/turn-limits.js";
import { foldRotation, withoutUndefined } from "../members/moved-turn.js";
import { nextInOrder } from "../members/next-in-order.js";
import { foldReassignment } from "../members/reassignment.js";
import type { DiscussionState } from "./state.js";

/**
 * A text hands the turn to the next in the rotation, and a reassignment to whom it names; who joins
 * speaks last in it, who goes or is hidden is passed over. Nothing else, and no stranger, changes
 * the state.
 */
export function foldDiscussion(state: DiscussionState, envelope: Envelope): DiscussionState {
  if (PARTICIPANT_EVENTS.has(envelope.event_type)) return foldMembers(state, envelope);
  if (envelope.event_type === EV_TURN_REASSIGNED) return foldReassignment(state, envelope);
  if (envelope.event_type !== EV_TEXT) return state;
  const { participant_order: order, hidden_participants: hidden } = state;
  const next = nextInOrder(order, envelope.sender_id, hidden);
  if (next === null) return state;
  return produce(state, (draft) => {
    draft.expected_next_speaker = next;
    draft.automatic_turns = countAutomaticTurns(state, envelope);
    draft.turn_count += 1;
    draft.last_speaker_id = envelope.sender_id;
    draft.last_envelope_id = envelope.envelope_id;
    delete draft.turn_trigger_id;
  });
}

function foldMembers(state: DiscussionState, envelope: Envelope): DiscussionState {
  const change = foldRotation(state, envelope);
  if (change === null) return state;
  const expected_next_speaker = change.expected_next_speaker ?? state.expected_next_speaker;
  return withoutUndefined({ ...state, ...change, expected_next_speaker });
}
