import { type Envelope, EV_TEXT } from "@colloquy/protocol";
import { produce } from "../fold/produce.js";
import { countAutomaticTurns } from "../knobs/turn-limits.js";
import type { ConversationState } from "./state.js";

/** Every text is a turn; nothing else changes the state. */
export function foldConversation(state: ConversationState, envelope: Envelope): ConversationState {
  if (envelope.event_type !== EV_TEXT) return state;
  return produce(state, (draft) => {
    draft.automatic_turns = countAutomaticTurns(state, envelope);
    draft.turn_count += 1;
    draft.last_speaker_id = envelope.sender_id;
    draft.last_envelope_id = envelope.envelope_id;
  });
}
