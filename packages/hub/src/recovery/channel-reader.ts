import {
  type ChannelAdapter,
  type ChannelHead,
  type ChannelMetadata,
  isTerminalState,
  type Snapshot,
  type StoredEnvelope,
} from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import type { Unsettled } from "../delivery/unsettled.js";
import type { LiveChannel } from "../live/live-channel.js";
import { ChannelBrokenError } from "../live/live-channels.js";
import { rememberEnvelope } from "../live/remember-envelope.js";
import { parseStored } from "../wal/parse-stored.js";
import { readPages } from "../wal/read-pages.js";
import { beginFold } from "./channel-fold.js";

/** What the store gave of a channel in one go. */
export interface ChannelRecord {
  readonly metadata: ChannelMetadata;
  readonly head: ChannelHead;
  readonly snapshot: Snapshot | null;
  /** Envelopes after the snapshot when they are at hand; otherwise they are read. */
  readonly tail: readonly StoredEnvelope[] | null;
}

/** Brings channels from the store into memory. */
export interface ChannelReader {
  /** By id; null when there is none. Rejects with `ChannelBrokenError` for one that cannot be used. */
  read(channelId: string): Promise<LiveChannel | null>;
  /** From what a recovery gave. What it waits for is armed by the caller, once it is in memory. */
  rebuild(record: ChannelRecord): Promise<LiveChannel>;
  /** Reads the newest part of the WAL into the indexes. */
  warmUp(live: LiveChannel): Promise<void>;
}

/** Makes a {@link ChannelReader}; `context` is used only after it is complete. */
export function createChannelReader(context: () => CoreContext): ChannelReader {
  /** What a channel that ended in an earlier life left behind is delivered from the store, by its records. */
  const handOver = async (live: LiveChannel, record: ChannelRecord): Promise<void> => {
    const { delivery, store } = context();
    if (isTerminalState(live.metadata.state) && !delivery.follows(live.id)) return;
    const from = delivery.oldestUnsettled(live);
    const tail = record.tail ?? [];
    const isCovered = from > live.head.position || (tail[0]?.position ?? Infinity) <= from;
    if (isCovered) {
      const unsettled = tail.filter(({ position }) => position >= from);
      delivery.load(live, delivery.weigh(live, unsettled));
      return;
    }
    const weighed: Unsettled[] = [];
    for await (const page of readPages(store, live.id, {
      after: from - 1,
      upTo: live.head.position,
    })) {
      weighed.push(...delivery.weigh(live, page));
    }
    delivery.load(live, weighed);
  };
  const rebuild = async (record: ChannelRecord): Promise<LiveChannel> => {
    const { adapters } = context();
    const { type, version } = record.metadata.manifest;
    const adapter = adapters.get(type, version);
    const live = await foldRecord(context(), record, adapter);
    await handOver(live, record);
    return live;
  };

  return {
    async read(channelId) {
      const { store, lifecycle, expectations } = context();
      const metadata = await store.readChannel(channelId);
      if (metadata === null) return null;
      const head = await store.readHead(channelId);
      const snapshot = await store.readSnapshot(channelId);
      const record = { metadata, head, snapshot, tail: null };
      const live = await rebuild(record);
      lifecycle.resume(live.metadata);
      expectations.resume(live);
      return live;
    },
    rebuild,
    async warmUp(live) {
      const { store, limits } = context();
      const remembered = limits.rememberedEnvelopes;
      live.idempotency.forgetBelow(Number.POSITIVE_INFINITY);
      live.causation.forgetBelow(Number.POSITIVE_INFINITY);
      const window = { last: remembered, upTo: live.committed };
      for await (const page of readPages(store, live.id, window)) {
        for (const stored of page) {
          rememberEnvelope(live, parseStored(stored), {
            position: stored.position,
            digest: stored.content_digest,
            remembered,
          });
        }
      }
      live.depthFloor = await readDepthFloor(store, live);
      live.warm = true;
    },
  };
}

/** A channel with a parent was opened with its floor as the depth of its first envelope. */
async function readDepthFloor(
  store: CoreContext["store"],
  { id, metadata }: LiveChannel,
): Promise<number> {
  if (metadata.parent_channel_id === null) return 0;
  const { envelopes } = await store.readWal(id, { upTo: 1 });
  const [first] = envelopes;
  return first === undefined ? 0 : parseStored(first).depth;
}

/** From the snapshot; when that leads nowhere, from the first envelope. */
async function foldRecord(
  context: CoreContext,
  record: ChannelRecord,
  adapter: ChannelAdapter | null,
): Promise<LiveChannel> {
  const { snapshot, metadata } = record;
  if (snapshot !== null && snapshot.position <= record.head.position) {
    try {
      return await foldFrom(context, record, adapter);
    } catch (error) {
      if (!(error instanceof ChannelBrokenError)) throw error;
      context.logger.warn(
        { channel_id: metadata.channel_id, reason: error.message },
        "a channel's snapshot does not fit its WAL: folding all of it",
      );
    }
  }
  const tail = snapshot === null ? record.tail : null;
  return foldFrom(context, { ...record, snapshot: null, tail }, adapter);
}

async function foldFrom(
  { store, limits, expectations }: CoreContext,
  { metadata, head, snapshot, tail }: ChannelRecord,
  adapter: ChannelAdapter | null,
): Promise<LiveChannel> {
  const remembered = limits.rememberedEnvelopes;
  // A new one for each attempt: a snapshot that does not fit may have been taken in half.
  const watch = expectations.watchFor(metadata);
  const fold = beginFold({ metadata, adapter, head, snapshot, remembered, watch });
  if (tail !== null) fold.add(tail);
  else {
    const range = { after: fold.after, upTo: head.position };
    for await (const page of readPages(store, metadata.channel_id, range)) fold.add(page);
  }
  return fold.finish();
}
