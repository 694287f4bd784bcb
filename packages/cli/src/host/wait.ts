import type { Clock } from "@colloquy/protocol";
import type { Terminal } from "../terminal/terminal.js";

/** Something to wait on that a signal ends. */
export interface Interruption {
  /** True once a signal has come. */
  readonly asked: boolean;
  /** Resolves after a delay, or at once when a signal has come or comes. */
  wait(delayMs: number): Promise<void>;
  /** Listens no longer. */
  stop(): void;
}

/** Listens for the signals that ask a command to end. */
export function watchInterruption(terminal: Terminal, clock: Clock): Interruption {
  let asked = false;
  let wake: () => void = () => undefined;
  const stop = terminal.onSignal(() => {
    asked = true;
    wake();
  });
  return {
    get asked() {
      return asked;
    },
    async wait(delayMs) {
      if (asked) return;
      await new Promise<void>((resolve) => {
        const timer = clock.setTimer(delayMs, resolve);
        wake = () => {
          timer.cancel();
          resolve();
        };
      });
    },
    stop,
  };
}
