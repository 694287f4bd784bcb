import type { Store, StoredEnvelope } from "@colloquy/protocol";
import { eachOfChannel, eachRow } from "../data/read-pages.js";
import type { Interruption } from "../host/wait.js";

/** Where a reader stands who follows a log. */
export interface FollowedLog {
  /** What has been appended since the last call, oldest first. */
  next(): AsyncGenerator<StoredEnvelope, void, undefined>;
}

/** Follows the whole store from behind a row. */
export function followStore(store: Store, afterRow: number): FollowedLog {
  let after = afterRow;
  return {
    async *next() {
      for await (const stored of eachRow(store, after, Number.POSITIVE_INFINITY)) {
        after = stored.row;
        yield stored;
      }
    },
  };
}

/** Follows one channel from behind a position. */
export function followChannel(store: Store, channelId: string, afterPosition: number): FollowedLog {
  let after = afterPosition;
  return {
    async *next() {
      for await (const stored of eachOfChannel(store, channelId, { after })) {
        after = stored.position;
        yield stored;
      }
    },
  };
}

/**
 * Hands over what a log has and gets, until a signal asks to end. Polls: each look is a short read
 * that disturbs nobody.
 *
 * @param everyMs - wait between two looks
 */
export async function followUntilAsked(
  log: FollowedLog,
  interruption: Interruption,
  everyMs: number,
  show: (stored: StoredEnvelope) => Promise<void>,
): Promise<void> {
  while (!interruption.asked) {
    for await (const stored of log.next()) {
      await show(stored);
      if (interruption.asked) return;
    }
    await interruption.wait(everyMs);
  }
}
