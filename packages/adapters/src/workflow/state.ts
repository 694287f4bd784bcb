import { type ChannelMetadata, participantOrder } from "@colloquy/protocol";
import type { RoutingState } from "../graph/routing-context.js";
import { isRecord, type JsonRecord } from "../json-record.js";
import type { TurnCounts } from "../knobs/turn-limits.js";
import type { MovedTurn } from "../members/moved-turn.js";

/** Where a workflow stands: whose turn it is, what has been set, and what routes it. */
export interface WorkflowState extends RoutingState, TurnCounts, MovedTurn {
  /** Null once the workflow has ended. */
  readonly expected_next_speaker: string | null;
  readonly last_envelope_id: string | null;
  /** Why the channel is to close; empty while it goes on. */
  readonly pending_close_reason: string;
  /** The `graph` knob, so that a fold needs nothing but the state. */
  readonly graph_data: JsonRecord;
  /** See the knob `allow_repeat_speaker`. */
  readonly allow_repeat_speaker: boolean;
}

/** Before the first turn. The graph has been checked. */
export function initialWorkflowState(
  channel: ChannelMetadata,
  graphData: JsonRecord,
  initialSpeaker: string,
): WorkflowState {
  const vars = channel.knobs["context_vars"];
  return {
    participant_order: participantOrder(channel),
    expected_next_speaker: initialSpeaker,
    last_speaker_id: null,
    last_envelope_id: null,
    turn_count: 0,
    automatic_turns: 0,
    pending_close_reason: "",
    creator_id: channel.creator_id,
    graph_data: graphData,
    context_vars: isRecord(vars) ? { ...vars } : {},
    allow_repeat_speaker: channel.knobs["allow_repeat_speaker"] !== false,
  };
}
