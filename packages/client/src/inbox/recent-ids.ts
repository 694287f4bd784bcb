/** The newest so many ids, for telling a repeat from something new in bounded memory. */
export interface RecentIds {
  has(id: string): boolean;
  add(id: string): void;
}

/** Makes {@link RecentIds}; beyond `capacity` the oldest id is forgotten. */
export function createRecentIds(capacity: number): RecentIds {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.delete(id);
      ids.add(id);
      if (ids.size <= capacity) return;
      for (const oldest of ids) {
        ids.delete(oldest);
        return;
      }
    },
  };
}
