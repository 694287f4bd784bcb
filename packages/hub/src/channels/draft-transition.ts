import {
  type ChannelMetadata,
  createEnvelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_CLOSING,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_OPENED,
  formatTimestamp,
  participantOrder,
} from "@colloquy/protocol";
import { type ChannelDraft, draftEnvelope } from "../append/channel-draft.js";
import { sealContent } from "../append/seal-content.js";
import type { CoreContext } from "../context/core-context.js";
import { freezeDeep } from "../core/freeze.js";

/** How a channel ends. */
export interface ChannelEnd {
  readonly state: "closed" | "expired";
  readonly reason: string;
}

/** Adds the transition to active: the metadata and the notice to every participant. */
export function draftOpened(context: CoreContext, draft: ChannelDraft): void {
  draft.metadata = freezeDeep({ ...draft.metadata, state: "active" });
  draftNotice(context, draft, EV_CHANNEL_OPENED, { channel_id: draft.live.id }, true);
  draft.events.push({ kind: "opened", payload: { metadata: draft.metadata } });
}

/** Adds the transition to closing: the metadata and the notice to every participant. */
export function draftClosing(context: CoreContext, draft: ChannelDraft, reason: string): void {
  const until = formatTimestamp(context.clock.now() + context.limits.closingTimeoutMs);
  const wind_up = { until, position: draft.position + 1 };
  draft.metadata = freezeDeep({
    ...draft.metadata,
    state: "closing",
    close_reason: reason,
    wind_up,
  });
  draftNotice(
    context,
    draft,
    EV_CHANNEL_CLOSING,
    { channel_id: draft.live.id, reason, until },
    true,
  );
  draft.events.push({ kind: "closing", payload: { reason, until, metadata: draft.metadata } });
}

/** Adds the last transition: the metadata and the channel's last envelope. */
export function draftEnd(context: CoreContext, draft: ChannelDraft, end: ChannelEnd): void {
  const at = formatTimestamp(context.clock.now());
  const { invited: _invited, wind_up: _windUp, ...metadata } = draft.metadata;
  draft.metadata = freezeDeep({
    ...metadata,
    state: end.state,
    closed_at: at,
    close_reason: end.reason,
  } satisfies ChannelMetadata);
  const eventType = end.state === "closed" ? EV_CHANNEL_CLOSED : EV_CHANNEL_EXPIRED;
  draftNotice(context, draft, eventType, { reason: end.reason, channel_id: draft.live.id }, false);
  draft.events.push({
    kind: end.state,
    payload: { reason: end.reason, metadata: draft.metadata, at },
  });
}

function draftNotice(
  context: CoreContext,
  draft: ChannelDraft,
  eventType: string,
  payload: Readonly<Record<string, unknown>>,
  announced: boolean,
): void {
  const members = participantOrder(draft.metadata);
  draftEnvelope(context, draft, {
    envelope: createEnvelope({
      channel_id: draft.live.id,
      sender_id: draft.metadata.creator_id,
      audience: members,
      event_type: eventType,
      event_data: {},
      depth: draft.live.depthFloor,
    }),
    content: sealContent(payload, "event_data"),
    recipients: members.filter((id) => context.agents.get(id) !== undefined),
    announced,
  });
}
