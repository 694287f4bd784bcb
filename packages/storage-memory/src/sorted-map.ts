/** A map from text keys that also lists its entries by key, in pages. */
export interface SortedMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  /** Entries with keys strictly above `after`, lowest first. The map may change while they are read. */
  above(after: string): Iterable<V>;
}

/** Makes an empty {@link SortedMap}. Appending at the end is cheap; inserting elsewhere moves the keys behind. */
export function createSortedMap<V>(): SortedMap<V> {
  const values = new Map<string, V>();
  const keys: string[] = [];
  return {
    get size() {
      return values.size;
    },
    get: (key) => values.get(key),
    set(key, value) {
      if (!values.has(key)) keys.splice(firstAtLeast(keys, key), 0, key);
      values.set(key, value);
    },
    delete(key) {
      if (values.delete(key)) keys.splice(firstAtLeast(keys, key), 1);
    },
    *above(after) {
      let previous = after;
      for (;;) {
        let at = firstAtLeast(keys, previous);
        if (keys[at] === previous) at += 1;
        const key = keys[at];
        const value = key === undefined ? undefined : values.get(key);
        if (key === undefined || value === undefined) return;
        yield value;
        previous = key;
      }
    },
  };
}

/** Index of the first key that is not below the wanted one; the length when there is none. */
function firstAtLeast(keys: readonly string[], wanted: string): number {
  const last = keys[keys.length - 1];
  if (last === undefined || last < wanted) return keys.length;
  let low = 0;
  let high = keys.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
