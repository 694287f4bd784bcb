import type { ChannelMetadata } from "@colloquy/protocol";
import type { LiveChannel } from "./live-channel.js";

/**
 * The channels in memory: every one that has not ended, and some that have.
 *
 * A channel that is not there is read from the store when it is wanted. One whose stored data or
 * fold is broken is quarantined with a reason; the others go on.
 */
export interface ChannelTable {
  /** In memory now; undefined says nothing about the store. */
  peek(channelId: string): LiveChannel | undefined;
  /** From memory, or read and folded; throws `NotFoundError`, or `StoreError` when it cannot be read. */
  load(channelId: string): Promise<LiveChannel>;
  /** As `load`, with its indexes warm, so that it can be posted to. */
  ready(channelId: string): Promise<LiveChannel>;
  /**
   * False once a failed commit has dropped this very object from memory, so that nothing may be
   * staged on it. To be asked after every wait, in the same instant as what is then done.
   */
  isCurrent(live: LiveChannel): boolean;
  /** Adds a channel that was just opened, or read at the start. */
  add(live: LiveChannel): void;
  /** Makes an open channel known that could not be read at the start; its first use reads it. */
  addUnread(metadata: ChannelMetadata): void;
  /** Tells that this metadata of the channel is durable. */
  committed(live: LiveChannel, metadata: ChannelMetadata): void;
  /** Drops one from memory, so that its next use reads the store. */
  evict(channelId: string): void;
  /** Marks a channel as unusable until the hub is reopened. */
  quarantine(channelId: string, reason: string, metadata: ChannelMetadata | null): void;
  /** Durable metadata only, from memory or store; null when there is none. */
  metadata(channelId: string): Promise<ChannelMetadata | null>;
  /** Ids of open channels with this member, in creation order. */
  openOf(agentId: string): readonly string[];
  /** Open channels that this agent created. */
  openCreatedBy(agentId: string): number;
  /** The members or invitees of an open channel are others from here on; `before` is what they were. */
  membersChanged(live: LiveChannel, before: ChannelMetadata): void;
  /** Ids of open channels that were opened in the course of this one. */
  openWithin(channelId: string): readonly string[];
  /** Moves a channel to the ended ones. */
  ended(live: LiveChannel): void;
  /** Channels in memory, in no particular order. */
  inMemory(): Iterable<LiveChannel>;
  /** Channels that have not ended. */
  readonly openCount: number;
  /** Of those, the ones that have an adapter. */
  readonly activeCount: number;
  /** Reason by id of those that cannot be used. */
  readonly quarantined: ReadonlyMap<string, string>;
}
