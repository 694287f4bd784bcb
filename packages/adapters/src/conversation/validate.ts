import {
  type ChannelMetadata,
  type Envelope,
  EV_TEXT,
  findParticipant,
  ProtocolError,
} from "@colloquy/protocol";
import { checkKnobs } from "../knobs/check-knobs.js";
import { requirePair } from "../members/require-pair.js";
import { conversationKnobs } from "./knobs.js";

/** Exactly one initiator and one respondent, and knobs that the type knows. */
export function validateConversationCreate(channel: ChannelMetadata): void {
  requirePair(channel);
  checkKnobs(conversationKnobs, channel);
}

/** Texts come from participants, at any time; other events pass. */
export function validateConversationSend(channel: ChannelMetadata, envelope: Envelope): void {
  if (envelope.event_type !== EV_TEXT) return;
  if (findParticipant(channel, envelope.sender_id) !== undefined) return;
  throw new ProtocolError(
    `conversation only accepts sends from participants, got '${envelope.sender_id}'`,
  );
}
