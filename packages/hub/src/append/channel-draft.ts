import {
  type ChannelMetadata,
  type Envelope,
  formatTimestamp,
  type RecordWrite,
  type StoredEnvelope,
} from "@colloquy/protocol";
import type { HubContext } from "../context/hub-context.js";
import { adapterFault } from "../core/adapter-fault.js";
import { freezeDeep } from "../core/freeze.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { ChannelEventKind } from "../observe/hub-listener.js";
import { foldEnvelope } from "../wal/fold-envelope.js";
import { type SealedEnvelope, sealEnvelope } from "../wal/seal-envelope.js";
import type { SealedContent } from "./seal-content.js";

/** One envelope of a draft. */
export interface DraftEntry {
  readonly envelope: Envelope;
  readonly sealed: SealedEnvelope;
  readonly position: number;
  /** When it was stamped, in whole epoch milliseconds. */
  readonly at: number;
  /** The channel's state after it. */
  readonly state: unknown;
  readonly recipients: readonly string[];
  /** True for what listeners hear of as posted. */
  readonly announced: boolean;
}

/**
 * What a channel will be when everything that is drafted has been appended. Nothing of the channel
 * changes until the draft is staged; a draft that is dropped leaves no trace.
 */
export interface ChannelDraft {
  readonly live: LiveChannel;
  metadata: ChannelMetadata;
  state: unknown;
  position: number;
  hash: string;
  readonly entries: DraftEntry[];
  /** Written with the envelopes; absent for none. */
  records?: readonly RecordWrite[];
  /** Told once the draft is durable. */
  readonly events: {
    readonly kind: ChannelEventKind;
    readonly payload: Readonly<Record<string, unknown>>;
  }[];
}

/** Begins a draft on top of everything that is staged in the channel. */
export function beginDraft(live: LiveChannel): ChannelDraft {
  return {
    live,
    metadata: live.metadata,
    state: live.state,
    position: live.head.position,
    hash: live.head.hash,
    entries: [],
    events: [],
  };
}

/** What {@link draftEnvelope} appends. */
export interface DraftInput {
  /** Complete but for its content, id and time, which are set here, in place. */
  readonly envelope: Envelope;
  readonly content: SealedContent;
  readonly recipients: readonly string[];
  readonly announced: boolean;
}

/**
 * Stamps an envelope, folds it and adds it to the draft. Throws when the fold does; the draft is
 * as before then.
 */
export function draftEnvelope(
  context: Pick<HubContext, "ids" | "clock" | "logger">,
  draft: ChannelDraft,
  { envelope, content, recipients, announced }: DraftInput,
): DraftEntry {
  envelope.envelope_id = context.ids.next();
  envelope.event_data = content.value;
  const now = context.clock.now();
  envelope.created_at = formatTimestamp(now);
  // From here on the envelope is shared: by states, recipients in this process and listeners.
  freezeDeep(envelope);
  const position = draft.position + 1;
  const state = foldNext(context, draft, envelope);
  const sealed = sealEnvelope(envelope, content.text, { position, prevHash: draft.hash });
  const at = Math.floor(now);
  const entry = { envelope, sealed, position, at, state, recipients, announced };
  draft.entries.push(entry);
  draft.state = state;
  draft.position = position;
  draft.hash = sealed.hash;
  return entry;
}

function foldNext(
  { logger }: Pick<HubContext, "logger">,
  { live, state }: ChannelDraft,
  envelope: Envelope,
): unknown {
  if (live.adapter === null) return state;
  try {
    return foldEnvelope(live.adapter, state, envelope);
  } catch (error) {
    throw adapterFault({ logger, channelId: live.id, method: "fold", envelope }, error);
  }
}

/** A drafted envelope as the store keeps it. */
export function toStored(entry: DraftEntry, row: number, prevRow: number): StoredEnvelope {
  const { envelope, sealed, position } = entry;
  return {
    row,
    channel_id: envelope.channel_id,
    position,
    prev_row: prevRow,
    envelope_id: envelope.envelope_id,
    sender_id: envelope.sender_id,
    causation_id: envelope.causation_id,
    event_type: envelope.event_type,
    hash: sealed.hash,
    content_digest: sealed.digest,
    body: sealed.body,
  };
}
