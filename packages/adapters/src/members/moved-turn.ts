import type { Envelope } from "@colloquy/protocol";
import { changeRotation, type Rotation } from "./rotation.js";

/** Set while the turn is somebody's because the one before it has gone or was hidden. */
export interface MovedTurn {
  /** The event of that; absent after the next turn. */
  readonly turn_trigger_id?: string | undefined;
}

/** A state with a rotation and somebody who is expected to speak. */
export interface RotatingState extends Rotation, MovedTurn {
  readonly expected_next_speaker: string | null;
}

/**
 * What an envelope changes of who takes part, and so of whose turn it is: when the expected speaker
 * goes or is hidden, the next in the order is expected, with that event as the trigger.
 *
 * @returns null when it changes nothing; a key with undefined is to be taken away
 */
export function foldRotation(
  state: RotatingState,
  envelope: Envelope,
): Pick<
  RotatingState,
  "participant_order" | "hidden_participants" | "turn_trigger_id" | "expected_next_speaker"
> | null {
  const change = changeRotation(state, envelope);
  if (change === null) return null;
  const { participant_order, hidden_participants: hidden, successor } = change;
  const { expected_next_speaker: expected, turn_trigger_id } = state;
  const isMoved = successor !== null && successor.of === expected && successor.next !== null;
  return {
    participant_order,
    hidden_participants: hidden.length === 0 ? undefined : hidden,
    expected_next_speaker: isMoved ? successor.next : expected,
    turn_trigger_id: isMoved ? envelope.envelope_id : turn_trigger_id,
  };
}

/** A copy without the keys whose value is undefined, so that a state stays plain JSON. */
export function withoutUndefined<T extends object>(state: T): T {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as T;
}
