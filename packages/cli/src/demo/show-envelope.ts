import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_OPENED,
  EV_CONTEXT_SET,
} from "@colloquy/protocol";
import { shortId } from "../data/short-id.js";
import { escapeText } from "../output/escape-text.js";
import type { Output } from "../output/output.js";
import { padText } from "../output/text-width.js";
import { previewContent } from "../wal/preview-content.js";
import type { SeenEnvelope } from "./follow-hub.js";

const POSITION_CELLS = 4;
const TYPE_CELLS = "conversation".length;
const SPEAKER_CELLS = 6;

/** Shows envelopes as they are committed: a line each, with a heading above the first of a channel. */
export interface EnvelopeShow {
  show(seen: SeenEnvelope): Promise<void>;
}

/**
 * Makes an {@link EnvelopeShow}.
 *
 * @param nameOf - the name of an agent
 */
export function createEnvelopeShow(
  output: Output,
  nameOf: (agentId: string) => string,
): EnvelopeShow {
  let lastChannel = "";
  return {
    async show(seen) {
      if (output.json) return await output.value({ envelope: recordOf(seen, nameOf) });
      const { channel } = seen;
      if (channel.channel_id !== lastChannel) {
        lastChannel = channel.channel_id;
        await output.lines("", headingOf(seen, output));
      }
      await output.lines(lineOf(seen, output, nameOf));
    },
  };
}

function headingOf({ channel }: SeenEnvelope, { styles }: Output): string {
  const title = channel.labels["intent"] ?? channel.manifest.type;
  return `${styles.strong(escapeText(title))} ${styles.faint(`(channel ${shortId(channel.channel_id)})`)}`;
}

function lineOf(
  { channel, position, envelope }: SeenEnvelope,
  { styles }: Output,
  nameOf: (agentId: string) => string,
): string {
  const head = [
    styles.strong(String(position).padStart(POSITION_CELLS)),
    styles.faint(padText(escapeText(channel.manifest.type), TYPE_CELLS)),
    styles.name(padText(escapeText(nameOf(envelope.sender_id)), SPEAKER_CELLS)),
  ].join("  ");
  const event = eventText(envelope, nameOf);
  if (event !== null) return `${head}  ${styles.faint(escapeText(event))}`;
  return `${head}  ${escapeText(previewContent(envelope, nameOf))}`;
}

/** What happened, for envelopes in which nobody speaks; null for the others. */
function eventText(envelope: Envelope, nameOf: (agentId: string) => string): string | null {
  const { event_data: data, audience } = envelope;
  switch (envelope.event_type) {
    case EV_CHANNEL_INVITE:
      return `invites ${(audience ?? []).map(nameOf).join(", ")}`;
    case EV_CHANNEL_INVITE_ACK:
      return "accepts";
    case EV_CHANNEL_OPENED:
      return "the channel is open";
    case EV_CHANNEL_CLOSED:
    case EV_CHANNEL_EXPIRED:
      return `the channel has ended: ${String(data["reason"] ?? "")}`;
    case EV_CONTEXT_SET:
      return `sets ${JSON.stringify(data["set"] ?? {})}`;
    default:
      return null;
  }
}

function recordOf(
  { channel, position, envelope }: SeenEnvelope,
  nameOf: (agentId: string) => string,
): Readonly<Record<string, unknown>> {
  return {
    position,
    channel_id: channel.channel_id,
    channel_type: channel.manifest.type,
    speaker: nameOf(envelope.sender_id),
    event_type: envelope.event_type,
    text: previewContent(envelope, nameOf),
    envelope_id: envelope.envelope_id,
    created_at: envelope.created_at,
  };
}
