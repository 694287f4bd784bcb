import { type ChannelAdapter, EV_TEXT } from "@colloquy/protocol";
import { manifestFor, type OpenEndedOptions } from "../adapter-options.js";
import { defaultNamedWindow } from "../knobs/default-window.js";
import { closeAtLimit, DEFAULT_LOOP_GUARD, limitsOf } from "../knobs/turn-limits.js";
import { viewFromKnob } from "../knobs/view-knob.js";
import { OPEN_MEMBERSHIP } from "../members/membership-rules.js";
import { nextInOrder } from "../members/next-in-order.js";
import { reassignedInput } from "../members/reassignment.js";
import { createSayTool } from "../say-tool.js";
import { renderText } from "../text/text-content.js";
import { packetEnvelope, textEnvelope } from "../text/text-envelope.js";
import { turnTakingRound } from "../text/text-round.js";
import { turnTakingInput } from "../text/turn-input.js";
import { foldDiscussion } from "./fold.js";
import { discussionKnobs } from "./knobs.js";
import { discussionManifest } from "./manifest.js";
import { type DiscussionState, initialDiscussionState } from "./state.js";
import { validateDiscussionCreate, validateDiscussionSend } from "./validate.js";

/**
 * `discussion`: two or more participants speak in a fixed rotation that starts with the creator.
 * `say` is offered to the expected speaker only.
 */
export function createDiscussionAdapter(
  options: OpenEndedOptions = {},
): ChannelAdapter<DiscussionState> {
  const loopGuard = options.loopGuard ?? DEFAULT_LOOP_GUARD;
  return {
    manifest: manifestFor(discussionManifest, options),
    knobs: discussionKnobs,
    validateCreate: validateDiscussionCreate,
    initialState: initialDiscussionState,
    validateSend: validateDiscussionSend,
    fold: foldDiscussion,
    onAccepted({ knobs }, envelope, state) {
      if (envelope.event_type !== EV_TEXT) return {};
      return closeAtLimit(state, limitsOf(knobs["max_turns"], knobs, loopGuard));
    },
    membership: OPEN_MEMBERSHIP,
    expectedNext(_channel, state) {
      return {
        agent_id: state.expected_next_speaker,
        triggering_envelope_id: state.turn_trigger_id ?? state.last_envelope_id,
      };
    },
    reassign(_channel, state, agentId) {
      const next = nextInOrder(state.participant_order, agentId, state.hidden_participants);
      return next === agentId ? null : next;
    },
    toolsFor(turn, _channel, state, participantId) {
      const expected = participantId === state.expected_next_speaker;
      return expected ? [createSayTool(turn, textEnvelope)] : [];
    },
    defaultView(channel, participantId) {
      return viewFromKnob(channel, participantId) ?? defaultNamedWindow(channel);
    },
    renderEnvelope: renderText,
    turnInput: (envelope) => reassignedInput(envelope) ?? turnTakingInput(envelope),
    textEnvelope,
    packetEnvelope,
    roundEnvelope: turnTakingRound,
  };
}
