/** Collects what is to be done once when the present turn of the event loop has come to rest. */
export interface TickFlush {
  /** Runs `run` after the microtasks that are now waiting, and those that they start. */
  add(run: () => void): void;
}

/**
 * Makes a {@link TickFlush}.
 *
 * Answers are sent from promises that resolve after a batch was released; by flushing when all of
 * them are through, a socket gets the batch and the answers in one write, without any delay that
 * a timer would add.
 */
export function createTickFlush(): TickFlush {
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    const runs = waiting;
    waiting = [];
    for (const run of runs) run();
  };
  // A tick that is set from a microtask runs when the microtasks are used up.
  const afterMicrotasks = (): void => queueMicrotask(() => process.nextTick(flush));
  return {
    add(run) {
      waiting.push(run);
      if (waiting.length === 1) process.nextTick(afterMicrotasks);
    },
  };
}
