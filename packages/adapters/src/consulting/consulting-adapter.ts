import { type ChannelAdapter, EV_TEXT } from "@colloquy/protocol";
import { type AdapterOptions, manifestFor } from "../adapter-options.js";
import { viewFromKnob } from "../knobs/view-knob.js";
import { PAIR_MEMBERSHIP } from "../members/membership-rules.js";
import { createSayTool } from "../say-tool.js";
import { renderText } from "../text/text-content.js";
import { packetEnvelope, textEnvelope } from "../text/text-envelope.js";
import { turnTakingRound } from "../text/text-round.js";
import { turnTakingInput } from "../text/turn-input.js";
import { floorOf } from "./floor.js";
import { foldConsulting } from "./fold.js";
import { consultingKnobs } from "./knobs.js";
import { consultingManifest } from "./manifest.js";
import { type ConsultingState, initialConsultingState } from "./state.js";
import { validateConsultingCreate, validateConsultingSend } from "./validate.js";

/**
 * `consulting`: one participant asks another one question and gets one answer; then the channel
 * closes with reason `consulting_complete`.
 */
export function createConsultingAdapter(
  options: AdapterOptions = {},
): ChannelAdapter<ConsultingState> {
  return {
    manifest: manifestFor(consultingManifest, options),
    knobs: consultingKnobs,
    validateCreate: validateConsultingCreate,
    initialState: initialConsultingState,
    validateSend: validateConsultingSend,
    fold: foldConsulting,
    onAccepted(_channel, envelope, state) {
      const complete = state.initiator_sent && state.respondent_replied;
      return complete && envelope.event_type === EV_TEXT ? { close: "consulting_complete" } : {};
    },
    expectedNext(channel, state) {
      const speaker = floorOf(channel, state);
      return speaker === null
        ? null
        : { agent_id: speaker, triggering_envelope_id: state.last_envelope_id };
    },
    membership: PAIR_MEMBERSHIP,
    toolsFor(turn, channel, state, participantId) {
      return floorOf(channel, state) === participantId ? [createSayTool(turn, textEnvelope)] : [];
    },
    defaultView(channel, participantId) {
      return viewFromKnob(channel, participantId) ?? { name: "full_transcript", args: {} };
    },
    renderEnvelope: renderText,
    turnInput: turnTakingInput,
    textEnvelope,
    packetEnvelope,
    roundEnvelope: turnTakingRound,
  };
}
