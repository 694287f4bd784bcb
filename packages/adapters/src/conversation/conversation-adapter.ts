import { type ChannelAdapter, EV_TEXT } from "@colloquy/protocol";
import { manifestFor, type OpenEndedOptions } from "../adapter-options.js";
import { closeAtLimit, DEFAULT_LOOP_GUARD, limitsOf } from "../knobs/turn-limits.js";
import { viewFromKnob } from "../knobs/view-knob.js";
import { PAIR_MEMBERSHIP } from "../members/membership-rules.js";
import { createSayTool } from "../say-tool.js";
import { renderText } from "../text/text-content.js";
import { packetEnvelope, textEnvelope } from "../text/text-envelope.js";
import { isSilent, textRound } from "../text/text-round.js";
import { foldConversation } from "./fold.js";
import { conversationKnobs } from "./knobs.js";
import { conversationManifest } from "./manifest.js";
import { type ConversationState, initialConversationState } from "./state.js";
import { validateConversationCreate, validateConversationSend } from "./validate.js";

/**
 * `conversation`: two participants talk freely. Nobody is ever awaited; a cap on
 * turns or the loop guard ends it, or somebody closes it.
 */
export function createConversationAdapter(
  options: OpenEndedOptions = {},
): ChannelAdapter<ConversationState> {
  const loopGuard = options.loopGuard ?? DEFAULT_LOOP_GUARD;
  return {
    manifest: manifestFor(conversationManifest, options),
    knobs: conversationKnobs,
    validateCreate: validateConversationCreate,
    initialState: initialConversationState,
    validateSend: validateConversationSend,
    fold: foldConversation,
    onAccepted({ knobs }, envelope, state) {
      if (envelope.event_type !== EV_TEXT) return {};
      return closeAtLimit(state, limitsOf(knobs["max_turns"], knobs, loopGuard));
    },
    expectedNext: () => null,
    membership: PAIR_MEMBERSHIP,
    toolsFor: (turn) => [createSayTool(turn, textEnvelope)],
    defaultView(channel, participantId) {
      return (
        viewFromKnob(channel, participantId) ?? { name: "windowed_summary", args: { recent_n: 10 } }
      );
    },
    renderEnvelope: renderText,
    turnInput: renderText,
    textEnvelope,
    packetEnvelope,
    roundEnvelope: (round) => (isSilent(round) ? null : textRound(round, round.body)),
  };
}
