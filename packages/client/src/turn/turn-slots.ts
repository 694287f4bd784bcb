/** Bounds how many turns of one agent run at once. */
export interface TurnSlots {
  /**
   * Resolves with a function that gives the slot back, in order of asking. Rejects with the signal's
   * reason when it is aborted first.
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** Makes {@link TurnSlots}. */
export function createTurnSlots(count: number): TurnSlots {
  let free = count;
  const waiting: (() => void)[] = [];
  const giveBack = (): void => {
    free += 1;
    waiting.shift()?.();
  };
  const claim = (): (() => void) => {
    free -= 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      giveBack();
    };
  };
  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (free > 0 && waiting.length === 0) return resolve(claim());
        const onFree = (): void => {
          signal.removeEventListener("abort", onAbort);
          resolve(claim());
        };
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(onFree), 1);
          reject(signal.reason);
        };
        waiting.push(onFree);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
