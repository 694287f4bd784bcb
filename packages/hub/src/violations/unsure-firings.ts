import { isTerminalState, type RecordWrite } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import type { FiredMarks } from "../expectations/fired-marks.js";

/** A firing whose commit has failed: it may be in the store all the same. */
export interface UnsureFiring {
  /** The marks as they were to be written. */
  readonly record: RecordWrite;
  /** The reason with which it was to end the channel; null when it was not. */
  readonly closeReason: string | null;
  /** Tells listeners and handlers, who have heard nothing. */
  tell(): void;
}

/** Firings of which the store is asked before their channel is looked at again, lest one fires twice. */
export interface UnsureFirings {
  has(channelId: string): boolean;
  add(channelId: string, firing: UnsureFiring): void;
}

/** Milliseconds until the store is asked, and until it is asked again when it does not answer. */
const ASK_AFTER_MS = 1_000;

/**
 * Makes empty {@link UnsureFirings}.
 *
 * @param again - looks at a channel of which all is known again
 */
export function createUnsureFirings(
  context: () => CoreContext,
  marks: FiredMarks,
  again: (channelId: string) => void,
): UnsureFirings {
  const unsure = new Map<string, UnsureFiring>();
  const askLater = (channelId: string): void => {
    const { deadlines, clock } = context();
    deadlines.set(`expectation-marks ${channelId}`, clock.now() + ASK_AFTER_MS, () => {
      void ask(channelId);
    });
  };
  const ask = async (channelId: string): Promise<void> => {
    const { store, logger } = context();
    const firing = unsure.get(channelId);
    if (firing === undefined) return;
    try {
      const text = await store.readRecord(firing.record.kind, firing.record.id);
      const channel = firing.closeReason === null ? null : await store.readChannel(channelId);
      const isWritten =
        channel === null
          ? text === firing.record.value
          : isTerminalState(channel.state) && channel.close_reason === firing.closeReason;
      marks.put(channelId, text);
      unsure.delete(channelId);
      if (isWritten) firing.tell();
      again(channelId);
    } catch (error) {
      logger.warn(
        { err: error, channel_id: channelId },
        "a channel's fired expectations cannot be read",
      );
      askLater(channelId);
    }
  };
  return {
    has: (channelId) => unsure.has(channelId),
    add(channelId, firing) {
      unsure.set(channelId, firing);
      askLater(channelId);
    },
  };
}
