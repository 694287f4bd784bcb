import type { ChannelMetadata } from "@colloquy/protocol";
import type { OpenWaiters } from "../live/open-waiters.js";
import type { HubContext } from "./hub-context.js";

/** What the verbs of channels, posts and turns work on, beyond what every verb sees. */
export interface CoreContext extends HubContext {
  /** Creators that wait for their invitees. */
  readonly waiters: OpenWaiters;
  readonly lifecycle: ChannelLifecycle;
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
