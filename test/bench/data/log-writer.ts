import { sealEnvelope } from "@colloquy/hub";
import {
  type ChannelHead,
  type ChannelMetadata,
  createEnvelope,
  createIdSource,
  createSystemClock,
  EMPTY_BATCH,
  type EnvelopeDraft,
  formatTimestamp,
  type IdSource,
  type Store,
  type StoredEnvelope,
} from "@colloquy/protocol";

/** Envelopes per commit: big, since filling a store is not what is measured. */
const BATCH = 10_000;

/** Fills a store through its port, as a hub would have done over time: ids, positions and hash chain fit. */
export interface LogWriter {
  readonly ids: IdSource;
  /** Writes a channel's metadata with the next commit. */
  writeChannel(channel: ChannelMetadata): void;
  /** Appends the next envelope of a channel that was written. */
  append(draft: EnvelopeDraft): Promise<void>;
  /** The end of a channel as appended so far. */
  headOf(channelId: string): ChannelHead;
  /** Commits what is left. */
  flush(): Promise<void>;
}

/** Makes a writer that goes on where the store ends. */
export async function createLogWriter(store: Store): Promise<LogWriter> {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const { last_row, last_envelope_id } = await store.recover();
  ids.advancePast(last_envelope_id);
  const heads = new Map<string, ChannelHead>();
  let row = last_row;
  let envelopes: StoredEnvelope[] = [];
  let channels: ChannelMetadata[] = [];

  const flush = async (): Promise<void> => {
    const batch = { ...EMPTY_BATCH, envelopes, channels: channels.map((channel) => ({ channel })) };
    envelopes = [];
    channels = [];
    await store.commit(batch);
  };
  const headOf = (channelId: string): ChannelHead =>
    heads.get(channelId) ?? { position: 0, row: 0, hash: "" };
  const seal = (draft: EnvelopeDraft): StoredEnvelope => {
    const head = headOf(draft.channel_id);
    const envelope = createEnvelope({
      ...draft,
      envelope_id: ids.next(),
      created_at: formatTimestamp(clock.now()),
    });
    row += 1;
    const position = head.position + 1;
    const content = JSON.stringify(envelope.event_data);
    const sealed = sealEnvelope(envelope, content, { position, prevHash: head.hash });
    heads.set(draft.channel_id, { row, position, hash: sealed.hash });
    return {
      row,
      channel_id: envelope.channel_id,
      position,
      prev_row: head.row,
      envelope_id: envelope.envelope_id,
      sender_id: envelope.sender_id,
      causation_id: envelope.causation_id,
      event_type: envelope.event_type,
      hash: sealed.hash,
      content_digest: sealed.digest,
      body: sealed.body,
    };
  };

  return {
    ids,
    headOf,
    flush,
    writeChannel: (channel) => void channels.push(channel),
    async append(draft) {
      if (!heads.has(draft.channel_id)) {
        heads.set(draft.channel_id, await store.readHead(draft.channel_id));
      }
      envelopes.push(seal(draft));
      if (envelopes.length >= BATCH) await flush();
    },
  };
}
