import { type ChannelMetadata, type Envelope, EV_TEXT, ProtocolError } from "@colloquy/protocol";
import { checkKnobs } from "../knobs/check-knobs.js";
import { requirePair } from "../members/require-pair.js";
import { floorOf } from "./floor.js";
import { consultingKnobs } from "./knobs.js";
import type { ConsultingState } from "./state.js";

/** Exactly one initiator and one respondent, and knobs that the type knows. */
export function validateConsultingCreate(channel: ChannelMetadata): void {
  requirePair(channel);
  checkKnobs(consultingKnobs, channel);
}

/** One text by the initiator, then one by the respondent; other events pass. */
export function validateConsultingSend(
  channel: ChannelMetadata,
  envelope: Envelope,
  state: ConsultingState,
): void {
  if (envelope.event_type !== EV_TEXT) return;
  if (state.initiator_sent && state.respondent_replied) {
    throw new ProtocolError("consulting is already complete");
  }
  const speaker = floorOf(channel, state);
  if (envelope.sender_id === speaker) return;
  const role = state.initiator_sent ? "respondent" : "initiator";
  throw new ProtocolError(
    `consulting expects its ${role} '${speaker}' to speak, got '${envelope.sender_id}'`,
  );
}
