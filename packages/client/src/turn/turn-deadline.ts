import type { Clock } from "@colloquy/protocol";
import { ClientError } from "../errors.js";

/** The signal of one turn. */
export interface TurnDeadline {
  /** Aborted when a source is, or when the time is up. */
  readonly signal: AbortSignal;
  /** Takes the timer and the listeners away. */
  clear(): void;
}

/** Makes a {@link TurnDeadline} out of other signals and a time in milliseconds. */
export function createTurnDeadline(
  clock: Clock,
  timeoutMs: number,
  sources: readonly AbortSignal[],
): TurnDeadline {
  const controller = new AbortController();
  const listeners = sources.map((source) => {
    const listener = (): void => controller.abort(source.reason);
    source.addEventListener("abort", listener);
    if (source.aborted) listener();
    return { source, listener };
  });
  const timer = clock.setTimer(timeoutMs, () => {
    controller.abort(
      new ClientError("client/timed_out", `the turn took longer than ${timeoutMs} ms`),
    );
  });
  return {
    signal: controller.signal,
    clear() {
      timer.cancel();
      for (const { source, listener } of listeners) source.removeEventListener("abort", listener);
    },
  };
}
