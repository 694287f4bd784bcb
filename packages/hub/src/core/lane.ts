import { setImmediate } from "node:timers/promises";

/** Lets few works run at once, so that what they hold in memory is bounded. */
export interface Lane<Owner> {
  /**
   * Runs a work, at once while there is room. Those that wait take turns by owner, so that one with
   * many holds up no other; a freed place is taken in a later turn of the event loop.
   */
  run<T>(owner: Owner, work: () => Promise<T>): Promise<T>;
}

/**
 * Makes a lane.
 *
 * @param places - works that may run at once
 */
export function createLane<Owner>(places: number): Lane<Owner> {
  /** What waits, by owner; the first owner is next. */
  const waiting = new Map<Owner, (() => void)[]>();
  let free = places;

  const release = async (): Promise<void> => {
    await setImmediate();
    const next = takeNext(waiting);
    if (next === undefined) free += 1;
    else next();
  };
  const enter = (owner: Owner): Promise<void> | null => {
    if (free > 0) {
      free -= 1;
      return null;
    }
    return new Promise((resolve) => {
      const queue = waiting.get(owner) ?? [];
      queue.push(resolve);
      waiting.set(owner, queue);
    });
  };
  return {
    async run(owner, work) {
      const place = enter(owner);
      if (place !== null) await place;
      try {
        return await work();
      } finally {
        void release();
      }
    },
  };
}

/** The oldest of the owner whose turn it is; that owner goes to the end. */
function takeNext<Owner>(waiting: Map<Owner, (() => void)[]>): (() => void) | undefined {
  for (const [owner, queue] of waiting) {
    const next = queue.shift();
    waiting.delete(owner);
    if (queue.length > 0) waiting.set(owner, queue);
    if (next !== undefined) return next;
  }
  return undefined;
}
