/** Channels that are remembered. */
const CAPACITY = 1_000;

/** Where in each channel a participant has last spoken, as far as this process knows. */
export interface OwnPositions {
  note(channelId: string, position: number | null): void;
  /** 0 for none. */
  last(channelId: string): number;
}

/** Makes {@link OwnPositions}; beyond 1,000 channels the quietest is forgotten. */
export function createOwnPositions(): OwnPositions {
  const positions = new Map<string, number>();
  const last = (channelId: string): number => positions.get(channelId) ?? 0;
  return {
    last,
    note(channelId, position) {
      if (position === null) return;
      const newest = Math.max(position, last(channelId));
      positions.delete(channelId);
      positions.set(channelId, newest);
      if (positions.size <= CAPACITY) return;
      for (const quietest of positions.keys()) {
        positions.delete(quietest);
        return;
      }
    },
  };
}
