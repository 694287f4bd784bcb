import type { ChannelEntry } from "./channel-entry.js";
import type { ChannelFeed } from "./channel-feed.js";

/** The entries of a feed and their changes, the newest state of each; see `ChannelFeed.changes`. */
export function readChanges(
  feed: Pick<ChannelFeed, "entries" | "isClosed" | "onChange">,
): AsyncIterableIterator<ChannelEntry> {
  const unread = new Map(feed.entries.map((entry) => [entry.id, entry]));
  let hasLeft = false;
  let wake: () => void = () => undefined;
  const stop = feed.onChange((changed) => {
    for (const entry of changed) {
      unread.delete(entry.id);
      unread.set(entry.id, entry);
    }
    wake();
  });
  async function* read(): AsyncGenerator<ChannelEntry, void> {
    try {
      while (!hasLeft) {
        for (const [id, entry] of unread) {
          unread.delete(id);
          yield entry;
          break;
        }
        if (unread.size > 0) continue;
        if (feed.isClosed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      stop();
    }
  }
  const steps = read();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => steps.next(),
    async return() {
      hasLeft = true;
      stop();
      wake();
      return steps.return();
    },
  };
}
