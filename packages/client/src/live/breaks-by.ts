import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_TURN_REASSIGNED,
  membershipEventOf,
} from "@colloquy/protocol";
import type { BreakReason, ChannelEntry } from "./channel-entry.js";

/** Which growing answers an event ends, and how. */
export interface BrokenOff {
  readonly reason: BreakReason;
  isHit(entry: ChannelEntry): boolean;
}

/** What an envelope tells about answers that will not be completed. */
export function breaksBy(envelope: Envelope): readonly BrokenOff[] {
  const { event_type, event_data } = envelope;
  if (event_type === EV_CHANNEL_CLOSED || event_type === EV_CHANNEL_EXPIRED) {
    return [{ reason: "ended", isHit: () => true }];
  }
  if (event_type === EV_TURN_REASSIGNED) {
    const from = event_data["from"];
    return [{ reason: "reassigned", isHit: ({ senderId }) => senderId === from }];
  }
  const change = membershipEventOf(envelope);
  if (change === null || !GONE.has(change.kind)) return [];
  return [{ reason: "left", isHit: ({ senderId }) => senderId === change.agent_id }];
}

const GONE: ReadonlySet<string> = new Set(["left", "removed", "hidden"]);
