import { type Content, type Envelope, PARTICIPANT_EVENTS } from "@colloquy/protocol";
import { renderText, textOf } from "./text-content.js";

/**
 * What a turn is given to answer when the speaker before it passed. A model needs an input that is
 * not empty; this one is never stored.
 */
export const PASSED_TURN_INPUT = "The previous speaker had nothing to say. It is your turn.";

/** What a turn is given to answer that has come to its speaker because the one before it is gone. */
export const MOVED_TURN_INPUT =
  "The participant whose turn it was takes part no longer. It is your turn.";

/**
 * A text as turn input where turns are taken: a pass becomes {@link PASSED_TURN_INPUT}, and the
 * going of the one who was to speak {@link MOVED_TURN_INPUT}.
 */
export function turnTakingInput(envelope: Envelope): Content | null {
  if (PARTICIPANT_EVENTS.has(envelope.event_type)) return MOVED_TURN_INPUT;
  if (textOf(envelope) === null) return null;
  return renderText(envelope) ?? PASSED_TURN_INPUT;
}
