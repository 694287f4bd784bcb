import { type Content, type Envelope, EV_PACKET, withParts } from "@colloquy/protocol";
import { ownText } from "../json-record.js";
import { reassignedInput } from "../members/reassignment.js";
import { isBlank, renderText } from "../text/text-content.js";
import { PASSED_TURN_INPUT, turnTakingInput } from "../text/turn-input.js";
import { routingOf } from "./turn-event.js";

/**
 * What a text or packet shows in a view: for a handoff the line `[Handed off via <tool>] <reason>`,
 * then the body and its parts. Nothing else of the routing is ever shown; null when nothing is left.
 */
export function renderWorkflow(envelope: Envelope): Content | null {
  if (envelope.event_type !== EV_PACKET) return renderText(envelope);
  return packetContent(envelope, "");
}

/**
 * What a text or packet gives a turn to answer: as {@link renderWorkflow}, with `handoff` for a tool
 * that is missing, and a sentence for a speaker who passed.
 */
export function workflowTurnInput(envelope: Envelope): Content | null {
  if (envelope.event_type !== EV_PACKET) {
    return reassignedInput(envelope) ?? turnTakingInput(envelope);
  }
  return packetContent(envelope, "handoff") ?? PASSED_TURN_INPUT;
}

function packetContent(envelope: Envelope, missingTool: string): Content | null {
  const body = ownText(envelope.event_data, "body");
  const lines = [handoffLine(envelope, missingTool), body].filter((line) => !isBlank(line));
  return withParts(lines.join("\n"), envelope);
}

function handoffLine(envelope: Envelope, missingTool: string): string {
  const routing = routingOf(envelope);
  if (routing === null || ownText(routing, "kind") !== "handoff") return "";
  const tool = ownText(routing, "tool") || missingTool;
  return `[Handed off via ${tool}] ${ownText(routing, "reason")}`.trim();
}
