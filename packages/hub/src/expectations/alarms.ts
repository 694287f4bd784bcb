/** Something that wants to be woken. The alarms alone write to it. */
export interface Sleeper {
  wakeAt: number;
  slot: number;
}

/**
 * Sleepers by the instant at which they wake, earliest first. Each costs one place in an array: every
 * open channel is one.
 */
export interface Alarms<S extends Sleeper> {
  readonly size: number;
  /** The one that wakes first. */
  readonly first: S | undefined;
  /** Sets or moves an alarm; infinity takes it away. */
  set(sleeper: S, wakeAt: number): void;
}

/** Makes empty {@link Alarms}: a binary heap that knows where everybody is. */
export function createAlarms<S extends Sleeper>(): Alarms<S> {
  const heap: S[] = [];
  const put = (sleeper: S, slot: number): void => {
    heap[slot] = sleeper;
    sleeper.slot = slot;
  };
  const rise = (sleeper: S, from: number): void => {
    let slot = from;
    while (slot > 0) {
      const up = (slot - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || parent.wakeAt <= sleeper.wakeAt) break;
      put(parent, slot);
      slot = up;
    }
    put(sleeper, slot);
  };
  const sink = (sleeper: S, from: number): void => {
    let slot = from;
    for (;;) {
      const left = 2 * slot + 1;
      const [first, second] = [heap[left], heap[left + 1]];
      if (first === undefined) break;
      const isSecond = second !== undefined && second.wakeAt < first.wakeAt;
      const child = isSecond ? second : first;
      if (child.wakeAt >= sleeper.wakeAt) break;
      put(child, slot);
      slot = isSecond ? left + 1 : left;
    }
    put(sleeper, slot);
  };
  const take = (sleeper: S): void => {
    const { slot } = sleeper;
    sleeper.slot = -1;
    sleeper.wakeAt = Number.POSITIVE_INFINITY;
    const last = heap.pop();
    if (last === undefined || last === sleeper) return;
    sink(last, slot);
    rise(last, last.slot);
  };
  return {
    get size() {
      return heap.length;
    },
    get first() {
      return heap[0];
    },
    set(sleeper, wakeAt) {
      if (sleeper.slot >= 0) take(sleeper);
      if (wakeAt === Number.POSITIVE_INFINITY) return;
      sleeper.wakeAt = wakeAt;
      rise(sleeper, heap.length);
    },
  };
}
