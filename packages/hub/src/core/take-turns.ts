/** Runs work of one key one after the other, work of different keys side by side. */
export type TakeTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Makes a {@link TakeTurns}; it remembers only keys with work under way. A failed work holds up nobody. */
export function createTurns(): TakeTurns {
  const last = new Map<string, Promise<void>>();
  return async (key, work) => {
    const former = last.get(key);
    let done: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    last.set(key, mine);
    try {
      await former;
      return await work();
    } finally {
      if (last.get(key) === mine) last.delete(key);
      done();
    }
  };
}
