import type { Clock, Timer } from "@colloquy/protocol";

/** The clock of one process: when the process dies, its timers die with it. */
export interface MortalClock extends Clock {
  kill(): void;
}

/** Makes a {@link MortalClock} that runs on another clock. */
export function createMortalClock(clock: Clock): MortalClock {
  const timers = new Set<Timer>();
  let isDead = false;
  return {
    now: () => clock.now(),
    setTimer(delayMs, callback) {
      if (isDead) return { cancel: () => undefined };
      const timer = clock.setTimer(delayMs, () => {
        timers.delete(timer);
        callback();
      });
      timers.add(timer);
      return {
        cancel() {
          timers.delete(timer);
          timer.cancel();
        },
      };
    },
    kill() {
      isDead = true;
      for (const timer of timers) timer.cancel();
      timers.clear();
    },
  };
}
