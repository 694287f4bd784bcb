import {
  type ChannelMetadata,
  isTerminalState,
  NotFoundError,
  StoreError,
} from "@colloquy/protocol";
import type { ChannelTable } from "./channel-table.js";
import type { LiveChannel } from "./live-channel.js";
import { createOpenIndex } from "./open-index.js";

/** Input of {@link createChannelTable}. */
export interface ChannelTableOptions {
  /** Reads and folds a channel; null when there is none. Rejects with `ChannelBrokenError` when it cannot be used. */
  read(channelId: string): Promise<LiveChannel | null>;
  /** Fills a channel's indexes; they are warm when it resolves. */
  warmUp(live: LiveChannel): Promise<void>;
  /** Metadata from the store; null when there is none. */
  readMetadata(channelId: string): Promise<ChannelMetadata | null>;
  readonly endedInMemory: number;
  /** An ended channel has left memory. */
  onForgotten(channelId: string): void;
  onQuarantined(channelId: string, reason: string): void;
}

/** A channel's data or fold is broken: it stays out of use until the hub is reopened. */
export class ChannelBrokenError extends StoreError {
  /** The metadata as far as it can be read. */
  readonly metadata: ChannelMetadata | null;

  constructor(message: string, metadata: ChannelMetadata | null, cause?: unknown) {
    super(message, { cause });
    this.metadata = metadata;
  }
}

/** True once a channel's end is durable. */
function hasEnded({ durable }: LiveChannel): boolean {
  return isTerminalState(durable.metadata.state);
}

/** Makes the {@link ChannelTable} of a hub. */
export function createChannelTable(options: ChannelTableOptions): ChannelTable {
  /** Every channel in memory; ended ones in the order of their last use. */
  const live = new Map<string, LiveChannel>();
  /** What the store has of channels that are open, or whose end is not durable yet. */
  const durable = new Map<string, ChannelMetadata>();
  const open = createOpenIndex();
  const endedIds = new Set<string>();
  const quarantined = new Map<string, string>();
  const broken = new Map<string, ChannelMetadata | null>();
  const loads = new Map<string, Promise<LiveChannel>>();
  const warmUps = new Map<LiveChannel, Promise<void>>();

  const peek = (channelId: string): LiveChannel | undefined => {
    const found = live.get(channelId);
    if (found !== undefined && endedIds.delete(channelId)) endedIds.add(channelId);
    return found;
  };
  const put = (channel: LiveChannel): void => {
    live.set(channel.id, channel);
    if (isTerminalState(channel.metadata.state)) keepEnded(channel.id);
    else if (!open.has(channel.id)) open.add(channel.metadata);
  };
  const keepEnded = (channelId: string): void => {
    endedIds.delete(channelId);
    endedIds.add(channelId);
    for (const oldest of endedIds) {
      if (endedIds.size <= options.endedInMemory) break;
      endedIds.delete(oldest);
      live.delete(oldest);
      options.onForgotten(oldest);
    }
  };
  const quarantine = (
    channelId: string,
    reason: string,
    metadata: ChannelMetadata | null,
  ): void => {
    const known = durable.get(channelId) ?? metadata;
    if (known !== null && known !== undefined) open.remove(known);
    live.delete(channelId);
    endedIds.delete(channelId);
    durable.delete(channelId);
    quarantined.set(channelId, reason);
    broken.set(channelId, known ?? null);
    options.onQuarantined(channelId, reason);
  };
  const read = async (channelId: string): Promise<LiveChannel> => {
    let channel: LiveChannel | null;
    try {
      channel = await options.read(channelId);
    } catch (error) {
      if (error instanceof ChannelBrokenError) {
        quarantine(channelId, error.message, error.metadata);
      }
      throw error;
    }
    if (channel === null) throw new NotFoundError(`channel not found: ${channelId}`);
    if (isTerminalState(channel.metadata.state)) {
      durable.delete(channelId);
      open.remove(channel.metadata);
    } else {
      durable.set(channelId, channel.metadata);
    }
    put(channel);
    return channel;
  };
  const load = async (channelId: string): Promise<LiveChannel> => {
    const found = peek(channelId);
    if (found !== undefined) return found;
    const reason = quarantined.get(channelId);
    if (reason !== undefined) {
      throw new StoreError(`channel '${channelId}' is quarantined: ${reason}`);
    }
    const running = loads.get(channelId);
    if (running !== undefined) return running;
    const loading = read(channelId).finally(() => loads.delete(channelId));
    loads.set(channelId, loading);
    return loading;
  };
  /** One that has ended for good changes no more, so it serves although others have taken its place. */
  const isCurrent = (channel: LiveChannel): boolean =>
    live.get(channel.id) === channel || hasEnded(channel);
  const ready = async (channelId: string): Promise<LiveChannel> => {
    for (;;) {
      const channel = await load(channelId);
      if (!channel.warm) {
        const running =
          warmUps.get(channel) ?? options.warmUp(channel).finally(() => warmUps.delete(channel));
        warmUps.set(channel, running);
        await running;
      }
      if (channel.warm && isCurrent(channel)) return channel;
    }
  };

  return {
    peek,
    load,
    ready,
    isCurrent,
    quarantine,
    quarantined,
    add: put,
    addUnread(metadata) {
      durable.set(metadata.channel_id, metadata);
      open.add(metadata);
    },
    committed(channel, metadata) {
      if (isTerminalState(metadata.state)) {
        durable.delete(channel.id);
        keepEnded(channel.id);
      } else {
        durable.set(channel.id, metadata);
      }
    },
    evict(channelId) {
      const channel = live.get(channelId);
      if (channel === undefined) return;
      const known = durable.get(channelId);
      live.delete(channelId);
      endedIds.delete(channelId);
      open.remove(channel.metadata);
      if (known !== undefined) open.add(known);
    },
    async metadata(channelId) {
      const found = peek(channelId);
      if (found !== undefined && found.committed > 0) return found.durable.metadata;
      const known = durable.get(channelId) ?? broken.get(channelId);
      return known ?? options.readMetadata(channelId);
    },
    openOf: (agentId) => [...open.ofMember(agentId)].sort(),
    openCreatedBy: open.countOfCreator,
    openWithin: open.ofParent,
    membersChanged({ metadata }, before) {
      if (!open.has(metadata.channel_id)) return;
      open.remove(before);
      open.add(metadata);
    },
    ended(channel) {
      open.remove(channel.metadata);
    },
    inMemory: () => live.values(),
    get openCount() {
      return open.size;
    },
    get activeCount() {
      let inactive = 0;
      for (const channel of live.values()) {
        if (channel.adapter === null && open.has(channel.id)) inactive += 1;
      }
      return open.size - inactive;
    },
  };
}
