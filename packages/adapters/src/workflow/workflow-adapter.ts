import type { ChannelAdapter } from "@colloquy/protocol";
import { manifestFor, type OpenEndedOptions } from "../adapter-options.js";
import { routingToolsOf } from "../graph/routing-tools.js";
import {
  createTransitionRegistry,
  type TransitionRegistryOptions,
} from "../graph/transition-registry.js";
import { defaultNamedWindow } from "../knobs/default-window.js";
import { closeAtLimit, DEFAULT_LOOP_GUARD, limitsOf } from "../knobs/turn-limits.js";
import { viewFromKnob } from "../knobs/view-knob.js";
import { OPEN_MEMBERSHIP } from "../members/membership-rules.js";
import { packetEnvelope, textEnvelope } from "../text/text-envelope.js";
import { foldWorkflow } from "./fold.js";
import { workflowKnobs } from "./knobs.js";
import { workflowManifest } from "./manifest.js";
import { nextAfterSilence } from "./next-after-silence.js";
import { preparePacket } from "./prepare-packet.js";
import { renderWorkflow, workflowTurnInput } from "./render-packet.js";
import { initialWorkflowState, type WorkflowState } from "./state.js";
import { isTurn } from "./turn-event.js";
import { readGraphKnob, validateWorkflowCreate } from "./validate-create.js";
import { validateWorkflowSend } from "./validate-send.js";
import { createWorkflowGraphs } from "./workflow-graphs.js";
import { workflowRound } from "./workflow-round.js";

/** Options of {@link createWorkflowAdapter}. */
export interface WorkflowOptions extends OpenEndedOptions, TransitionRegistryOptions {}

/**
 * `workflow`: two or more participants speak as a transition graph says.
 *
 * The first turn that is accepted is the initial speaker's. The channel closes when the graph, a
 * finish or the graph's `max_turns` ends it; without `max_turns` the loop guard caps it. Custom
 * conditions and targets must be given to the hub and to every client alike.
 */
export function createWorkflowAdapter(
  options: WorkflowOptions = {},
): ChannelAdapter<WorkflowState> {
  const graphs = createWorkflowGraphs(createTransitionRegistry(options));
  const loopGuard = options.loopGuard ?? DEFAULT_LOOP_GUARD;
  return {
    manifest: manifestFor(workflowManifest, options),
    knobs: workflowKnobs,
    validateCreate: (channel) => validateWorkflowCreate(channel, graphs),
    initialState(channel) {
      const { data, bound } = readGraphKnob(channel, graphs);
      return initialWorkflowState(channel, data, bound.graph.initial_speaker);
    },
    prepareSend: preparePacket,
    validateSend: validateWorkflowSend,
    fold: (state, envelope) => foldWorkflow(state, envelope, graphs),
    onAccepted({ knobs }, envelope, state) {
      if (!isTurn(envelope)) return {};
      if (state.expected_next_speaker === null) {
        return { close: state.pending_close_reason || "workflow_terminated" };
      }
      const { max_turns } = graphs.bound(state.graph_data).graph;
      return closeAtLimit(state, limitsOf(max_turns, knobs, loopGuard));
    },
    membership: OPEN_MEMBERSHIP,
    mayKeepTurn: true,
    expectedNext(_channel, state) {
      const { expected_next_speaker: speaker, last_envelope_id, turn_trigger_id } = state;
      return speaker === null
        ? null
        : { agent_id: speaker, triggering_envelope_id: turn_trigger_id ?? last_envelope_id };
    },
    reassign: (channel, state, agentId) => nextAfterSilence(channel, { state, agentId, graphs }),
    routing: { toolsOf: (state) => [...routingToolsOf(graphs.bound(state.graph_data).graph)] },
    toolsFor: () => [],
    defaultView(channel, participantId) {
      return viewFromKnob(channel, participantId) ?? defaultNamedWindow(channel);
    },
    renderEnvelope: renderWorkflow,
    turnInput: workflowTurnInput,
    textEnvelope,
    packetEnvelope,
    roundEnvelope: (round) => workflowRound(round, graphs),
  };
}
