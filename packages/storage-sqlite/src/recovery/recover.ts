import {
  type BrokenChannel,
  type ChannelMetadata,
  type Logger,
  NetworkError,
  type RecordKind,
  type RecoveredChannel,
  type Recovery,
  type Snapshot,
  type StoredEnvelope,
  StoreError,
} from "@colloquy/protocol";
import { isDamage } from "../file/store-fault.js";
import type { HeadIndex } from "../log/head-index.js";
import type { LogReader } from "../log/log-reader.js";
import type { Tables } from "../tables/tables.js";

/** What recovery reads. */
export interface RecoveryContext {
  readonly index: HeadIndex;
  readonly tables: Tables;
  readonly log: LogReader;
  readonly logger: Logger;
  readonly repairs: readonly string[];
  /** Runs reads of one channel on one state of the database; throws `StoreError` once the store is closed. */
  reading<T>(work: () => T): T;
}

/** Kinds of record that a hub keeps in memory. */
const KEPT_IN_MEMORY: readonly RecordKind[] = ["agent", "resume", "rule", "key", "meta", "task"];
/** Open channels whose ids are listed at a time. */
const IDS_PER_READ = 256;

/** All that a hub needs to start. Channels are read one by one while they are iterated. */
export function recover(context: RecoveryContext): Recovery {
  const { index, tables, repairs, reading } = context;
  return reading(() => ({
    last_row: index.lastRow,
    last_envelope_id: index.lastId,
    records: KEPT_IN_MEMORY.flatMap((kind) => tables.records.all(kind)),
    deliveries: tables.deliveries.unsettled(),
    channels: openChannels(context),
    repairs,
  }));
}

async function* openChannels(
  context: RecoveryContext,
): AsyncGenerator<RecoveredChannel | BrokenChannel> {
  const { reading, tables } = context;
  let after = "";
  for (;;) {
    const from = after;
    const ids = reading(() => tables.channels.openAbove(from, IDS_PER_READ));
    for (const id of ids) {
      yield recoverChannel(context, id);
      after = id;
    }
    if (ids.length < IDS_PER_READ) return;
  }
}

function recoverChannel(
  context: RecoveryContext,
  channelId: string,
): RecoveredChannel | BrokenChannel {
  let channel: ChannelMetadata | null = null;
  try {
    return context.reading(() => {
      channel = context.tables.channels.read(channelId);
      if (channel === null) throw new StoreError(`channel ${channelId} has vanished`);
      return readChannel(context, channel);
    });
  } catch (error) {
    if (!(error instanceof NetworkError) && !isDamage(error)) throw error;
    return { channel_id: channelId, channel, reason: error instanceof Error ? error.message : "" };
  }
}

function readChannel(context: RecoveryContext, channel: ChannelMetadata): RecoveredChannel {
  const { index, log } = context;
  const channelId = channel.channel_id;
  const head = log.readHead(channelId);
  const number = index.numberOf(channelId);
  const stored = number === null ? null : context.tables.snapshots.read(number, channelId);
  if (stored !== null && stored.position <= head.position) {
    const tail = log.readTail(channelId, stored.position + 1);
    if (follows(stored, head, tail)) {
      assertReadable(tail);
      return { channel, head, snapshot: stored, tail };
    }
  }
  if (stored !== null) {
    context.logger.warn(
      { channel_id: channelId, snapshot: stored.position, head: head.position },
      "a snapshot does not fit its log and is passed over",
    );
  }
  const tail = log.readTail(channelId, 1);
  if (tail.length > 0 && tail[0]?.prev_row !== 0) {
    throw new StoreError(`channel ${channelId} is broken: its first envelope follows another`);
  }
  assertReadable(tail);
  return { channel, head, snapshot: null, tail };
}

/** True when the tail begins at the very envelope that the snapshot ends with. */
function follows(
  snapshot: Snapshot,
  head: { readonly row: number; readonly hash: string },
  tail: readonly StoredEnvelope[],
): boolean {
  const first = tail[0];
  if (first !== undefined) return first.prev_row === snapshot.row;
  return snapshot.row === head.row && snapshot.hash === head.hash;
}

function assertReadable(tail: readonly StoredEnvelope[]): void {
  for (const { body, position, channel_id } of tail) {
    try {
      JSON.parse(body);
    } catch (cause) {
      throw new StoreError(
        `channel ${channel_id} is broken: the envelope at position ${position} is no valid JSON`,
        { cause, details: { reason: "broken_body", channel_id, position } },
      );
    }
  }
}
