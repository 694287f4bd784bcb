import { type Envelope, EV_TURN_REASSIGNED } from "@colloquy/protocol";
import { produce } from "../fold/produce.js";
import { ownText } from "../json-record.js";

/** What a turn is given to answer when it was handed on. It is never stored. */
const REASSIGNED_TURN_INPUT = "The expected speaker did not answer in time. It is your turn.";

/** The part of a state that says whose turn it is. */
export interface TurnState {
  readonly participant_order: readonly string[];
  readonly expected_next_speaker: string | null;
  readonly hidden_participants?: readonly string[] | undefined;
  readonly turn_trigger_id?: string | undefined;
}

/**
 * The turn goes to whom the envelope names, and the envelope is what gave it. One that takes the
 * turn from somebody else, or gives it to a stranger or a hidden one, changes nothing.
 */
export function foldReassignment<S extends TurnState>(state: S, envelope: Envelope): S {
  const from = ownText(envelope.event_data, "from");
  const to = ownText(envelope.event_data, "to");
  const isSpeaker =
    state.participant_order.includes(to) && !state.hidden_participants?.includes(to);
  if (from !== state.expected_next_speaker || !isSpeaker) return state;
  return produce(state, (draft) => {
    draft.expected_next_speaker = to;
    draft.turn_trigger_id = envelope.envelope_id;
  });
}

/** Turn input of a reassignment; null for other events. */
export function reassignedInput({ event_type }: Envelope): string | null {
  return event_type === EV_TURN_REASSIGNED ? REASSIGNED_TURN_INPUT : null;
}
