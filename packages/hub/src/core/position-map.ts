/**
 * A map whose entries belong to positions that only grow, so that the oldest can be dropped.
 *
 * The order is kept beside the map: a `Map` walks over the places of deleted entries, which would
 * make every drop from its front dearer than the one before.
 */
export interface PositionMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  /** Adds or replaces; the position is at or above every earlier one. */
  set(key: string, value: V, position: number): void;
  /** Drops what stands below this position. */
  forgetBelow(position: number): void;
}

/** Dropped places at the front of the order that are put up with. */
const SLACK = 1_024;

/** Makes an empty {@link PositionMap}. */
export function createPositionMap<V>(): PositionMap<V> {
  const entries = new Map<string, { readonly value: V; readonly position: number }>();
  let keys: string[] = [];
  let positions: number[] = [];
  let front = 0;
  return {
    get size() {
      return entries.size;
    },
    get: (key) => entries.get(key)?.value,
    set(key, value, position) {
      entries.set(key, { value, position });
      keys.push(key);
      positions.push(position);
    },
    forgetBelow(position) {
      while (front < keys.length && (positions[front] ?? 0) < position) {
        const key = keys[front] ?? "";
        if ((entries.get(key)?.position ?? position) < position) entries.delete(key);
        front += 1;
      }
      if (front <= SLACK) return;
      keys = keys.slice(front);
      positions = positions.slice(front);
      front = 0;
    },
  };
}
