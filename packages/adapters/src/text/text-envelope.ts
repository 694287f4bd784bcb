import {
  type ContentPartInput,
  type EnvelopeDraft,
  EV_PACKET,
  EV_TEXT,
  type PacketDraft,
  type TextDraft,
} from "@colloquy/protocol";

/** A plain text for a channel: EV_TEXT with exactly `{ text }`, and `parts` when there are any. */
export function textEnvelope(draft: TextDraft): EnvelopeDraft {
  return {
    channel_id: draft.channelId,
    sender_id: draft.senderId,
    audience: draft.audience ?? null,
    event_type: EV_TEXT,
    event_data: { text: draft.text, ...partsField(draft.parts) },
    causation_id: draft.causationId ?? null,
  };
}

/**
 * A packet for a channel: EV_PACKET with `body`, `routing` when a handoff is given, and
 * `context_updates` when variables are, so that every fold reads them. Keys that do not apply are
 * left out.
 */
export function packetEnvelope(draft: PacketDraft): EnvelopeDraft {
  const { body, handoff, contextSet = {} } = draft;
  return {
    channel_id: draft.channelId,
    sender_id: draft.senderId,
    audience: draft.audience ?? null,
    event_type: EV_PACKET,
    event_data: {
      body,
      ...partsField(draft.parts),
      ...(handoff === undefined ? {} : { routing: handoffRouting(handoff) }),
      ...(Object.keys(contextSet).length === 0
        ? {}
        : { context_updates: { set: contextSet, delete: [] } }),
    },
    causation_id: draft.causationId ?? null,
  };
}

function partsField(parts: readonly ContentPartInput[] = []) {
  return parts.length === 0 ? {} : { parts };
}

function handoffRouting({ target, reason }: { target: string; reason: string }) {
  return { kind: "handoff", target, ...(reason === "" ? {} : { reason }) };
}
