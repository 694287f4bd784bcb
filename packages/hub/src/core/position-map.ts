/**
 * A map whose entries belong to positions that only grow, so that the oldest can be dropped.
 *
 * The order is kept beside the map: a `Map` walks over the places of deleted entries, which would
 * make every drop from its front dearer than the one before.
 */
export interface PositionMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  values(): Iterable<V>;
  /** Adds or replaces; the position is at or above every earlier one. */
  set(key: string, value: V, position: number): void;
  /** Drops what stands below this position. */
  forgetBelow(position: number): void;
}

/** Dropped places at the front of the order that are put up with. */
const SLACK = 1_024;

/** Makes an empty {@link PositionMap}. It costs a few words until something is put into it. */
export function createPositionMap<V>(): PositionMap<V> {
  return new OrderedEntries<V>();
}

interface Entry<V> {
  readonly value: V;
  readonly position: number;
}

/** Every open channel has several of these, so methods are shared and storage waits for its first entry. */
class OrderedEntries<V> implements PositionMap<V> {
  #entries: Map<string, Entry<V>> | null = null;
  #keys: string[] = NO_KEYS;
  #positions: number[] = NO_POSITIONS;
  #front = 0;

  get size(): number {
    return this.#entries?.size ?? 0;
  }

  get(key: string): V | undefined {
    return this.#entries?.get(key)?.value;
  }

  *values(): Iterable<V> {
    for (const { value } of this.#entries?.values() ?? []) yield value;
  }

  set(key: string, value: V, position: number): void {
    if (this.#entries === null) {
      this.#entries = new Map();
      this.#keys = [];
      this.#positions = [];
    }
    this.#entries.set(key, { value, position });
    this.#keys.push(key);
    this.#positions.push(position);
  }

  forgetBelow(position: number): void {
    const entries = this.#entries;
    if (entries === null) return;
    while (this.#front < this.#keys.length && (this.#positions[this.#front] ?? 0) < position) {
      const key = this.#keys[this.#front] ?? "";
      if ((entries.get(key)?.position ?? position) < position) entries.delete(key);
      this.#front += 1;
    }
    if (this.#front <= SLACK) return;
    this.#keys = this.#keys.slice(this.#front);
    this.#positions = this.#positions.slice(this.#front);
    this.#front = 0;
  }
}

const NO_KEYS: string[] = [];
const NO_POSITIONS: number[] = [];
