import {
  type ChannelMetadata,
  type Envelope,
  EV_CONTEXT_SET,
  EV_PACKET,
  findParticipant,
  ProtocolError,
} from "@colloquy/protocol";
import { isRecord } from "../json-record.js";
import { findJsonFault } from "../knobs/json-object.js";
import type { WorkflowState } from "./state.js";
import { isTurn } from "./turn-event.js";

/**
 * Context variables may be set by any participant at any time; texts and packets come from the
 * expected speaker; other events pass. Variables must be plain JSON.
 */
export function validateWorkflowSend(
  channel: ChannelMetadata,
  envelope: Envelope,
  state: WorkflowState,
): void {
  if (envelope.event_type === EV_CONTEXT_SET) {
    requireParticipant(channel, envelope);
    requireJson("event_data", envelope.event_data);
    return;
  }
  if (!isTurn(envelope)) return;
  requireTurn(envelope, state);
  if (envelope.event_type === EV_PACKET) requireContext(envelope);
}

function requireParticipant(channel: ChannelMetadata, envelope: Envelope): void {
  if (findParticipant(channel, envelope.sender_id) !== undefined) return;
  throw new ProtocolError(
    `workflow only accepts context variables from participants, got '${envelope.sender_id}'`,
  );
}

function requireTurn(envelope: Envelope, state: WorkflowState): void {
  const expected = state.expected_next_speaker;
  if (expected === null || expected === "" || envelope.sender_id === expected) return;
  throw new ProtocolError(`workflow expects '${expected}' to speak, got '${envelope.sender_id}'`);
}

function requireContext({ event_data }: Envelope): void {
  requireJson("event_data.context_updates", event_data["context_updates"] ?? null);
  const context = event_data["context"] ?? null;
  if (context !== null && !isRecord(context)) {
    throw new ProtocolError("event_data.context must be an object of context variables");
  }
  requireJson("event_data.context", context);
}

function requireJson(field: string, value: unknown): void {
  const fault = findJsonFault(value);
  if (fault === null) return;
  const path = [field, ...fault.path].join(".");
  throw new ProtocolError(`${path}: ${fault.remedy}`, { details: { field: path } });
}
