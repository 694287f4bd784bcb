import { isTerminalState, NotFoundError } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";

/** Milliseconds until a channel that could not be read is read again. */
const READ_RETRY_MS = 1_000;

/** Brings the channels of a failed commit back to what the store has. */
export interface ReadingAgain {
  /** The commit has failed: the channels leave memory. `isUnsure`: it may have been written all the same, and they are read again. */
  drop(touched: Iterable<string>, isUnsure: boolean): void;
  /** What the commit has written after all is released by reading the channels, now or later. */
  read(touched: Iterable<string>): void;
}

/**
 * Makes the {@link ReadingAgain} of a hub. The end of a channel that was written though its commit
 * seemed to fail is told to listeners once it is read, so that none takes the channel for open.
 */
export function createReadingAgain(context: () => CoreContext): ReadingAgain {
  /** Channels that listeners take for open, while their end may have been written. */
  const believedOpen = new Set<string>();

  const readOne = async (channelId: string): Promise<void> => {
    const { channels, logger, clock, deadlines, listeners } = context();
    try {
      const { metadata } = await channels.load(channelId);
      const { state, close_reason, closed_at } = metadata;
      if (!believedOpen.delete(channelId) || !isTerminalState(state)) return;
      listeners.emit("onChannelEvent", channelId, state === "expired" ? "expired" : "closed", {
        ...{ reason: close_reason, metadata, at: closed_at },
      });
    } catch (error) {
      if (error instanceof NotFoundError || channels.quarantined.has(channelId)) {
        believedOpen.delete(channelId);
        return;
      }
      logger.warn(
        { err: error, channel_id: channelId },
        "a channel could not be read again; trying later",
      );
      deadlines.set(`channel-read ${channelId}`, clock.now() + READ_RETRY_MS, () => {
        void readOne(channelId);
      });
    }
  };
  return {
    drop(touched, isUnsure) {
      const { channels } = context();
      for (const channelId of touched) {
        const live = channels.peek(channelId);
        const isEnding = live !== undefined && isTerminalState(live.metadata.state);
        if (
          isUnsure &&
          isEnding &&
          live.committed > 0 &&
          !isTerminalState(live.durable.metadata.state)
        ) {
          believedOpen.add(channelId);
        }
        channels.evict(channelId);
      }
    },
    read(touched) {
      for (const channelId of touched) void readOne(channelId);
    },
  };
}
