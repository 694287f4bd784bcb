import { type Envelope, EV_TEXT } from "@colloquy/protocol";
import { produce } from "../fold/produce.js";
import type { ConsultingState } from "./state.js";

/** The first text is the question, the second the answer; nothing else changes the state. */
export function foldConsulting(state: ConsultingState, envelope: Envelope): ConsultingState {
  if (envelope.event_type !== EV_TEXT || state.respondent_replied) return state;
  return produce(state, (draft) => {
    if (draft.initiator_sent) draft.respondent_replied = true;
    draft.initiator_sent = true;
    draft.last_envelope_id = envelope.envelope_id;
  });
}
