import { createEnvelope, participantOrder } from "@colloquy/protocol";
import { type ChannelDraft, draftEnvelope } from "../../append/channel-draft.js";
import { sealContent } from "../../append/seal-content.js";
import type { CoreContext } from "../../context/core-context.js";

/** What the hub says in a channel. */
export interface HubWords {
  readonly eventType: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Null is every participant, the creator included, in whose name the hub speaks. */
  readonly audience: readonly string[] | null;
}

/** Adds an envelope of the hub's own; no gate, inbox or state of the channel keeps it back. */
export function draftHubEnvelope(
  context: CoreContext,
  draft: ChannelDraft,
  { eventType, payload, audience }: HubWords,
): void {
  const { metadata } = draft;
  // Named one by one: nobody is sent what is for everybody and is in its own name.
  const named = audience ?? participantOrder(metadata);
  draftEnvelope(context, draft, {
    envelope: createEnvelope({
      channel_id: metadata.channel_id,
      sender_id: metadata.creator_id,
      audience: [...named],
      event_type: eventType,
      event_data: {},
    }),
    content: sealContent(payload, "event_data"),
    recipients: named.filter((id) => context.agents.get(id) !== undefined),
    announced: true,
  });
}
