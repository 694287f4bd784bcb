import {
  AccessDeniedError,
  type ChannelAdapter,
  type Envelope,
  effectiveKind,
  isProtocolEvent,
  isTerminalState,
  ProtocolError,
} from "@colloquy/protocol";
import { isInviteAnswer, isInvitedLater } from "../channels/handshake.js";
import { mayStillAnswer } from "../channels/still-answer.js";
import type { HubContext } from "../context/hub-context.js";
import { quote } from "../core/quote.js";
import type { LiveChannel } from "../live/live-channel.js";
import { isReply } from "../live/remember-envelope.js";
import type { AgentEntry } from "../registry/agent-table.js";

/** Refuses a sender that takes no part in the channel; an invitee of an open one may answer. */
export function checkMember(live: LiveChannel, { sender_id, event_type }: Envelope): void {
  if (live.participants.has(sender_id)) return;
  if (isInviteAnswer(event_type) && isInvitedLater(live.metadata, sender_id)) return;
  throw new AccessDeniedError(
    `agent ${quote(sender_id)} is not a participant of channel '${live.id}'`,
  );
}

/**
 * Refuses everything in a channel that has ended, and what is said in one that is not active, or by
 * one who is hidden. While a channel winds up, what was said before may be answered; see `drainChannel`.
 */
export function checkState(
  context: Pick<HubContext, "delivery">,
  live: LiveChannel,
  envelope: Envelope,
): void {
  const { state, close_reason } = live.metadata;
  if (isTerminalState(state)) {
    const why = close_reason === null || close_reason === "" ? "" : `: ${close_reason}`;
    throw new ProtocolError(`channel '${live.id}' is ${state}${why}`, {
      details: { state, reason: close_reason },
    });
  }
  if (isProtocolEvent(envelope.event_type)) return;
  if (!live.addressed.has(envelope.sender_id)) {
    throw new ProtocolError(
      `agent ${quote(envelope.sender_id)} is hidden in channel '${live.id}' and may not speak`,
    );
  }
  if (state === "active" || mayStillAnswer(context, live, envelope)) return;
  throw new ProtocolError(`channel '${live.id}' is not active (state=${state})`, {
    details: { state },
  });
}

/** The channel's adapter; throws when the channel was loaded without one. */
export function requireAdapter(
  { adapters }: Pick<HubContext, "adapters">,
  live: LiveChannel,
): ChannelAdapter {
  if (live.adapter !== null) return live.adapter;
  const { type, version } = live.metadata.manifest;
  if (adapters.get(type, version) === null) {
    throw new ProtocolError(
      `channel '${live.id}' has no registered adapter for type '${type}' version ${version}`,
    );
  }
  throw new ProtocolError(
    `channel '${live.id}' has no adapter state: the adapter for type '${type}' was registered after the hub had read it; reopen the hub`,
  );
}

/**
 * Refuses an agent's second text or packet with one cause, in every channel type, so that a turn
 * that was handed out twice is answered once. People may answer one envelope as often as they like.
 */
export function checkOneReply(live: LiveChannel, sender: AgentEntry, envelope: Envelope): void {
  if (envelope.causation_id === null || !isReply(envelope.event_type)) return;
  if (effectiveKind(sender.passport) === "human") return;
  const first = live.causation.findReply(sender.id, envelope.causation_id);
  if (first === undefined) return;
  throw new ProtocolError(
    `envelope ${quote(envelope.causation_id)} is already answered by ${first.envelope_id}`,
    { details: { envelope_id: first.envelope_id } },
  );
}
