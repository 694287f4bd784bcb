import type { ChannelMetadata, RecordWrite } from "@colloquy/protocol";
import type { ChannelWatch } from "../live/channel-watch.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { OpenWaiters } from "../live/open-waiters.js";
import type { HubContext } from "./hub-context.js";

/** What the verbs of channels, posts and turns work on, beyond what every verb sees. */
export interface CoreContext extends HubContext {
  /** Creators that wait for their invitees. */
  readonly waiters: OpenWaiters;
  readonly lifecycle: ChannelLifecycle;
  readonly expectations: ChannelExpectations;
  /** Ends the tasks of a channel that is about to end. */
  readonly tasks: { endTasksOf(channelId: string): void };
}

/** What follows when a channel's state has become durable, or was read. */
export interface ChannelLifecycle {
  /** Arms what a channel that was just read waits for. */
  resume(metadata: ChannelMetadata): void;
  /** A new state is durable: answers the creator and sets or clears deadlines. */
  changed(metadata: ChannelMetadata): void;
  /** Ends the open channels that were opened in the course of one that has ended. */
  endWithin(parentId: string): void;
  /** Resolves when every transition that a deadline has set off is done. */
  settled(): Promise<void>;
}

/** The expectations of channels, as the verbs that change channels see them. */
export interface ChannelExpectations {
  /** Throws `ProtocolError` when a channel that is to be opened expects what nothing stands behind. */
  checkChannel(metadata: ChannelMetadata): void;
  /** What keeps the facts of a channel that is new or is rebuilt; null when nothing is expected. */
  watchFor(metadata: ChannelMetadata): ChannelWatch | null;
  /** A channel has come into memory from the store. */
  resume(live: LiveChannel): void;
  /** An open channel could not be read: its expectations make sure that it is, later. */
  readLater(channelId: string): void;
  /**
   * Something of a channel has become durable.
   *
   * @param change - epoch milliseconds of the first of the envelopes, and whether the metadata is new
   */
  changed(live: LiveChannel, change: { readonly since: number; readonly isNews: boolean }): void;
  /** What is written with a channel's end. */
  recordsAtEnd(channelId: string): readonly RecordWrite[];
}
