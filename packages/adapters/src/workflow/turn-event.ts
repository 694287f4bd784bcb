import { type Envelope, EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import { type JsonRecord, ownRecord } from "../json-record.js";

/** True for the events that take a turn in a workflow: texts and packets. */
export function isTurn(envelope: Envelope): boolean {
  return envelope.event_type === EV_TEXT || envelope.event_type === EV_PACKET;
}

/** The `routing` of a packet; null for other events and packets without it. */
export function routingOf(envelope: Envelope): JsonRecord | null {
  return envelope.event_type === EV_PACKET ? ownRecord(envelope.event_data, "routing") : null;
}
