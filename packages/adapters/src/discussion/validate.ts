import { type ChannelMetadata, type Envelope, EV_TEXT, ProtocolError } from "@colloquy/protocol";
import { checkKnobs } from "../knobs/check-knobs.js";
import { requireMany } from "../members/require-many.js";
import { discussionKnobs } from "./knobs.js";
import type { DiscussionState } from "./state.js";

/** At least two participants, and knobs that the type knows. */
export function validateDiscussionCreate(channel: ChannelMetadata): void {
  requireMany(channel);
  checkKnobs(discussionKnobs, channel);
}

/** Texts come from the expected speaker; other events pass. */
export function validateDiscussionSend(
  _channel: ChannelMetadata,
  envelope: Envelope,
  state: DiscussionState,
): void {
  if (envelope.event_type !== EV_TEXT) return;
  if (envelope.sender_id === state.expected_next_speaker) return;
  throw new ProtocolError(
    `discussion expects '${state.expected_next_speaker}' to speak, got '${envelope.sender_id}'`,
  );
}
