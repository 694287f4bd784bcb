import type { Clock, Logger, Timer } from "@colloquy/protocol";
import { isBusy } from "../file/store-fault.js";
import type { Transactor } from "../file/transactor.js";
import type { TextIndex } from "./text-index.js";

/** Milliseconds between two slices: commits have most of the time for themselves. */
const PAUSE_MS = 20;
/** Milliseconds until a slice that could not be written is tried again. */
const LATER_MS = 1_000;

/** Fills the index behind the commits, slice by slice. */
export interface TextFiller {
  /** Begins to fill, unless it is at it, and goes on until the index has the whole log. */
  wake(): void;
  /** Begins anew with an empty index, after the index was found damaged. */
  rebuild(error: unknown): void;
  close(): void;
}

/** What {@link createTextFiller} works on. */
export interface FillerContext {
  readonly text: TextIndex;
  readonly transact: Transactor;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly path: string;
  /** Runs a write that need not survive power loss. */
  relaxed(work: () => void): void;
}

/** Makes a {@link TextFiller}. */
export function createTextFiller(context: FillerContext): TextFiller {
  const { text, transact, clock, logger, path } = context;
  let timer: Timer | null = null;
  let isDamaged = false;
  let closed = false;

  const arm = (delayMs: number): void => {
    if (!closed) timer ??= clock.setTimer(delayMs, onTimer);
  };
  const work = (): boolean => {
    let more = false;
    context.relaxed(() => {
      more = transact.write(() => {
        if (isDamaged) text.reset();
        return text.fillSlice();
      });
    });
    isDamaged = false;
    return more;
  };
  const onTimer = (): void => {
    timer = null;
    try {
      if (work()) arm(PAUSE_MS);
    } catch (error) {
      if (!isBusy(error)) {
        const reason = error instanceof Error ? error.message : String(error);
        logger.warn({ path, error: reason }, "the index of what was said must wait");
      }
      arm(LATER_MS);
    }
  };
  return {
    wake: () => arm(PAUSE_MS),
    rebuild(error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn(
        { path, error: reason },
        "the index of what was said is damaged: it is made anew",
      );
      isDamaged = true;
      arm(PAUSE_MS);
    },
    close() {
      closed = true;
      timer?.cancel();
      timer = null;
    },
  };
}
