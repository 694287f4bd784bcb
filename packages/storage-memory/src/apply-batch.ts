import {
  type ChannelHead,
  type ChannelMetadata,
  checkAppend,
  type StoreBatch,
  StoreError,
} from "@colloquy/protocol";
import { type EncodedLazy, encodeLazy, writeRecord } from "./lazy-part.js";
import type { DiskContent } from "./memory-disk.js";

const NO_ENVELOPE: ChannelHead = { position: 0, row: 0, hash: "" };

interface EncodedChannel {
  readonly channel: ChannelMetadata;
  readonly text: string;
}

/**
 * Writes a batch's durable part at once, or throws and writes nothing.
 *
 * @returns the lazy part, copied and ready to be written later
 * @throws StoreError when the envelopes do not continue the log or something is no plain data
 */
export function applyBatch(content: DiskContent, batch: StoreBatch): EncodedLazy {
  const { channels, lazy } = encode(batch);
  const unknown = [...batch.records, ...lazy.records].find(
    ({ kind }) => !content.records.has(kind),
  );
  if (unknown !== undefined) throw new StoreError(`there is no kind of record "${unknown.kind}"`);
  const fresh = new Set(batch.channels.map(({ channel }) => channel.channel_id));
  const heads = checkAppend(batch.envelopes, {
    last_row: content.log.length,
    last_envelope_id: content.log.at(-1)?.envelope_id ?? "",
    headOf: (id) => content.channels.get(id)?.head ?? (fresh.has(id) ? NO_ENVELOPE : null),
  });
  for (const write of channels) putChannel(content, write);
  for (const envelope of batch.envelopes) {
    const stored = Object.freeze({ ...envelope });
    content.log.push(stored);
    content.channels.get(envelope.channel_id)?.wal.push(stored);
  }
  for (const [channelId, head] of heads) {
    const channel = content.channels.get(channelId);
    if (channel !== undefined) channel.head = head;
  }
  for (const record of batch.records) writeRecord(content, record);
  return lazy;
}

function encode(batch: StoreBatch): { channels: EncodedChannel[]; lazy: EncodedLazy } {
  try {
    const channels = batch.channels.map(({ channel }) => ({
      channel,
      text: JSON.stringify(channel),
    }));
    return { channels, lazy: encodeLazy(batch) };
  } catch (cause) {
    throw new StoreError("a channel or an audit record cannot be written as JSON", {
      cause,
      details: { outcome: "none" },
    });
  }
}

function putChannel(content: DiskContent, { channel, text }: EncodedChannel): void {
  const members = new Set(channel.participants.map((member) => member.agent_id));
  const known = content.channels.get(channel.channel_id);
  if (known !== undefined) {
    known.metadata = text;
    known.state = channel.state;
    known.members = members;
    return;
  }
  content.channels.set(channel.channel_id, {
    id: channel.channel_id,
    metadata: text,
    state: channel.state,
    members,
    head: NO_ENVELOPE,
    snapshot: null,
    wal: [],
    damaged: false,
  });
}
