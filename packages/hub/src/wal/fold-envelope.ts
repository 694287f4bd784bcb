import {
  type ChannelAdapter,
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
} from "@colloquy/protocol";

/**
 * State after an envelope, live and at a replay alike. Throws what the adapter throws, except for
 * a channel's last envelope: no fault of an adapter may keep a channel from ending.
 */
export function foldEnvelope(adapter: ChannelAdapter, state: unknown, envelope: Envelope): unknown {
  if (!isLast(envelope.event_type)) return adapter.fold(state, envelope);
  try {
    return adapter.fold(state, envelope);
  } catch {
    return state;
  }
}

function isLast(eventType: string): boolean {
  return eventType === EV_CHANNEL_CLOSED || eventType === EV_CHANNEL_EXPIRED;
}
