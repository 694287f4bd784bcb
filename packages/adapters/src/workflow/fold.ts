import {
  type Envelope,
  EV_CONTEXT_SET,
  EV_TURN_REASSIGNED,
  PARTICIPANT_EVENTS,
} from "@colloquy/protocol";
import { produce } from "../fold/produce.js";
import { countAutomaticTurns } from "../knobs/turn-limits.js";
import { foldRotation, withoutUndefined } from "../members/moved-turn.js";
import { foldReassignment } from "../members/reassignment.js";
import { applyContextUpdates, contextUpdatesOf } from "./context-updates.js";
import { route } from "./route.js";
import type { WorkflowState } from "./state.js";
import { isTurn } from "./turn-event.js";
import type { WorkflowGraphs } from "./workflow-graphs.js";

/**
 * Folds one envelope: context updates first, then the turn, then the routing, which
 * sees both. EV_CONTEXT_SET changes the variables alone, a reassignment whose turn it is; who joins
 * comes last in the order, and when the expected speaker goes or is hidden the next in the order is
 * expected, whatever the graph says. Other events change nothing.
 */
export function foldWorkflow(
  state: WorkflowState,
  envelope: Envelope,
  graphs: WorkflowGraphs,
): WorkflowState {
  if (envelope.event_type === EV_CONTEXT_SET) return withContext(state, envelope);
  if (PARTICIPANT_EVENTS.has(envelope.event_type)) {
    const change = foldRotation(state, envelope);
    return change === null ? state : withoutUndefined({ ...state, ...change });
  }
  if (envelope.event_type === EV_TURN_REASSIGNED) return foldReassignment(state, envelope);
  if (!isTurn(envelope)) return state;
  const spoken = withTurn(withContext(state, envelope), envelope);
  const decision = route(spoken, envelope, graphs.bound(state.graph_data));
  return produce(spoken, (draft) => {
    draft.expected_next_speaker = decision.next_speaker;
    draft.pending_close_reason = decision.close_reason ?? "";
  });
}

function withContext(state: WorkflowState, envelope: Envelope): WorkflowState {
  const vars = applyContextUpdates(state.context_vars, contextUpdatesOf(envelope));
  if (vars === state.context_vars) return state;
  return produce(state, (draft) => {
    draft.context_vars = vars;
  });
}

function withTurn(state: WorkflowState, envelope: Envelope): WorkflowState {
  return produce(state, (draft) => {
    draft.automatic_turns = countAutomaticTurns(state, envelope);
    draft.turn_count += 1;
    draft.last_speaker_id = envelope.sender_id;
    draft.last_envelope_id = envelope.envelope_id;
    delete draft.turn_trigger_id;
  });
}
