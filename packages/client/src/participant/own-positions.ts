/** Channels that are remembered. */
const CAPACITY = 1_000;

/** Where in each channel a participant has last spoken, as far as this process knows. */
export interface OwnPositions {
  note(channelId: string, position: number | null): void;
  /** Null where that is not known, as for what another process has said. */
  last(channelId: string): number | null;
}

/** Makes {@link OwnPositions}; beyond 1,000 channels the quietest is forgotten. */
export function createOwnPositions(): OwnPositions {
  const positions = new Map<string, number>();
  const last = (channelId: string): number | null => positions.get(channelId) ?? null;
  return {
    last,
    note(channelId, position) {
      if (position === null) return;
      const newest = Math.max(position, last(channelId) ?? 0);
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
