import { type Envelope, type MembershipEvent, membershipEventOf } from "@colloquy/protocol";
import { nextInOrder } from "./next-in-order.js";

/** Who speaks in which order, as states of turn-taking types carry it. */
export interface Rotation {
  /** Ids of all members, hidden ones included. */
  readonly participant_order: readonly string[];
  /** Members that are passed over; absent for none. */
  readonly hidden_participants?: readonly string[] | undefined;
}

/** What a change of the members does to a rotation. */
export interface RotationChange {
  readonly participant_order: readonly string[];
  readonly hidden_participants: readonly string[];
  /** Who follows the one that speaks no longer; null when nobody has stopped speaking. */
  readonly successor: { readonly of: string; readonly next: string | null } | null;
}

/** The rotation after an envelope; null when the envelope changes nothing of it. */
export function changeRotation(rotation: Rotation, envelope: Envelope): RotationChange | null {
  const event = membershipEventOf(envelope);
  if (event === null || event.kind === "invited" || event.kind === "lapsed") return null;
  const { participant_order: order, hidden_participants: hidden = [] } = rotation;
  const { agent_id } = event;
  const others = order.filter((id) => id !== agent_id);
  const stillHidden = hidden.filter((id) => id !== agent_id);
  switch (event.kind) {
    case "joined":
      return {
        participant_order: [...others, agent_id],
        hidden_participants: stillHidden,
        successor: null,
      };
    case "shown":
      return { participant_order: order, hidden_participants: stillHidden, successor: null };
    case "hidden":
      if (!order.includes(agent_id)) return null;
      return {
        participant_order: order,
        hidden_participants: [...stillHidden, agent_id],
        successor: successorOf(order, stillHidden, event),
      };
    case "left":
    case "removed":
      return {
        participant_order: others,
        hidden_participants: stillHidden,
        successor: successorOf(order, stillHidden, event),
      };
  }
}

function successorOf(
  order: readonly string[],
  hidden: readonly string[],
  { agent_id }: MembershipEvent,
): RotationChange["successor"] {
  return { of: agent_id, next: nextInOrder(order, agent_id, [...hidden, agent_id]) };
}
