import type { Clock } from "@colloquy/protocol";
import { SingleBar } from "cli-progress";
import type { TextSink } from "../terminal/terminal.js";

/** Work shorter than this shows no bar. */
const PATIENCE_MS = 500;

/** Shows how far a piece of work has come. */
export interface Progress {
  /** So much of the total is done. */
  update(done: number, total?: number): void;
  /** Takes the bar away; harmless when repeated. */
  stop(): void;
}

/**
 * A progress bar on a terminal, and nothing anywhere else.
 *
 * It appears once the work has taken half a second, and leaves no trace.
 *
 * @param sink - where to draw: the error stream, so that results stay clean
 * @param label - what is being done
 * @param total - how much there is to do; `update` may correct it
 */
export function startProgress(
  sink: TextSink,
  clock: Clock,
  label: string,
  total: number,
): Progress {
  if (!sink.isTty) return { update: () => undefined, stop: () => undefined };
  const startedAt = clock.now();
  let bar: SingleBar | null = null;
  return {
    update(done, newTotal = total) {
      if (bar === null && clock.now() - startedAt < PATIENCE_MS) return;
      if (bar === null) {
        bar = new SingleBar({
          format: `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted} left`,
          stream: sink.stream,
          clearOnComplete: true,
          hideCursor: true,
        });
        bar.start(newTotal, done);
      }
      if (bar.getTotal() !== newTotal) bar.setTotal(newTotal);
      bar.update(done);
    },
    stop() {
      bar?.stop();
      bar = null;
    },
  };
}
