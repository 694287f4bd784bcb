import { type ChannelMetadata, createEnvelope, EV_TEXT } from "@colloquy/protocol";
import type { WorkflowState } from "./state.js";
import type { WorkflowGraphs } from "./workflow-graphs.js";

/** Who lets a turn pass, and what decides on the next. */
export interface Silence {
  readonly state: WorkflowState;
  readonly agentId: string;
  readonly graphs: WorkflowGraphs;
}

/**
 * Who speaks instead of one who was silent: the first other participant that the graph's rules, or
 * its default target, name as if it had passed. Null when the graph would only end the workflow or
 * wait for the same one.
 */
export function nextAfterSilence(
  { channel_id }: ChannelMetadata,
  { state, agentId, graphs }: Silence,
): string | null {
  const passed = createEnvelope({
    channel_id,
    sender_id: agentId,
    event_type: EV_TEXT,
    event_data: { text: "" },
  });
  const spoken = { ...state, last_speaker_id: agentId, turn_count: state.turn_count + 1 };
  const decisions = graphs.bound(state.graph_data).decisions({ envelope: passed, state: spoken });
  for (const { next_speaker: next } of decisions) {
    if (next === null || next === agentId) continue;
    if (state.participant_order.includes(next) && !state.hidden_participants?.includes(next)) {
      return next;
    }
  }
  return null;
}
