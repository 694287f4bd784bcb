import type { Envelope } from "@colloquy/protocol";
import type { BoundGraph } from "../graph/bind-graph.js";
import { closes, type Decision, speaks } from "../graph/routing-context.js";
import { nextInTurn } from "../graph/targets.js";
import { ownText } from "../json-record.js";
import type { WorkflowState } from "./state.js";
import { routingOf } from "./turn-event.js";

/** Close reason when nothing that could decide names a participant who may speak. */
const NO_ALLOWED_SPEAKER = "no_allowed_speaker";

/**
 * Decides who speaks after a turn.
 *
 * A finish ends the workflow; a handoff to a participant outranks the graph; then the graph's rules
 * and its default target decide. What names nobody who takes part is passed over, so the channel
 * never waits for someone who is not there; so is the last speaker where the channel does not let
 * anybody speak twice in a row. Each is tried once; when none is left the channel closes.
 *
 * @param state - the state with the turn already in it
 */
export function route(state: WorkflowState, envelope: Envelope, graph: BoundGraph): Decision {
  for (const decision of offers(state, envelope, graph)) {
    if (isAllowed(decision, state)) return decision;
  }
  return closes(NO_ALLOWED_SPEAKER);
}

function* offers(
  state: WorkflowState,
  envelope: Envelope,
  graph: BoundGraph,
): Generator<Decision, void> {
  const routing = routingOf(envelope) ?? {};
  const kind = ownText(routing, "kind");
  if (kind === "finish") yield closes(ownText(routing, "reason") || "finished");
  if (kind === "handoff") yield speaks(ownText(routing, "target"));
  yield* graph.decisions({ envelope, state });
  if (!state.allow_repeat_speaker) yield nextInTurn(state);
}

function isAllowed({ next_speaker }: Decision, state: WorkflowState): boolean {
  if (next_speaker === null) return true;
  if (!state.participant_order.includes(next_speaker)) return false;
  if (state.hidden_participants?.includes(next_speaker) === true) return false;
  return state.allow_repeat_speaker || next_speaker !== state.last_speaker_id;
}
