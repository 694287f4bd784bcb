import type { ChannelMetadata } from "@colloquy/protocol";

/** Creators that wait until their channel is active or has failed to become so. */
export interface OpenWaiters {
  readonly size: number;
  /** Resolves or rejects once, as told by channel id. */
  wait(channelId: string): Promise<ChannelMetadata>;
  resolve(metadata: ChannelMetadata): void;
  reject(channelId: string, error: Error): void;
  /** Rejects all of them. */
  rejectAll(error: Error): void;
}

interface Waiter {
  resolve(metadata: ChannelMetadata): void;
  reject(error: Error): void;
}

/** Makes an empty {@link OpenWaiters}. */
export function createOpenWaiters(): OpenWaiters {
  const waiters = new Map<string, Waiter>();
  const take = (channelId: string): Waiter | undefined => {
    const waiter = waiters.get(channelId);
    waiters.delete(channelId);
    return waiter;
  };
  return {
    get size() {
      return waiters.size;
    },
    wait: (channelId) =>
      new Promise((resolve, reject) => waiters.set(channelId, { resolve, reject })),
    resolve: (metadata) => take(metadata.channel_id)?.resolve(metadata),
    reject: (channelId, error) => take(channelId)?.reject(error),
    rejectAll(error) {
      for (const channelId of [...waiters.keys()]) take(channelId)?.reject(error);
    },
  };
}
