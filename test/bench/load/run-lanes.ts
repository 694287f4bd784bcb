import { IDLE_CALLBACKS, type Lane } from "./lane.js";

/** Input of {@link runLanes}. */
export interface RunOptions {
  /** Messages over all lanes together. */
  readonly messages: number;
  /** Messages on their way at one time, per lane. */
  readonly inFlight: number;
}

/** What a run gave. */
export interface RunResult {
  readonly seconds: number;
  /** Milliseconds from sending a message until it had come round, in the order in which they ended. */
  readonly latencies: Float64Array;
}

/**
 * Sends messages over lanes, each with a constant number on its way: when one has come round, the
 * lane sends the next.
 *
 * Rejects when a lane fails.
 */
export function runLanes(
  lanes: readonly Lane[],
  { messages, inFlight }: RunOptions,
): Promise<RunResult> {
  const started = new Float64Array(messages);
  const latencies = new Float64Array(messages);
  let sent = 0;
  let done = 0;
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const next = (lane: Lane): void => {
      if (sent === messages) return;
      const sequence = sent;
      sent += 1;
      started[sequence] = performance.now();
      lane.post(sequence);
    };
    const end = (): void => {
      for (const lane of lanes) Object.assign(lane, IDLE_CALLBACKS);
    };
    for (const lane of lanes) {
      lane.onFailed = (error) => {
        end();
        reject(error);
      };
      lane.onDone = (sequence) => {
        const now = performance.now();
        latencies[done] = now - (started[sequence] ?? Number.NaN);
        done += 1;
        if (done === messages) {
          end();
          resolve({ seconds: (now - begin) / 1000, latencies });
        } else {
          next(lane);
        }
      };
    }
    for (const lane of lanes) {
      for (let filled = 0; filled < inFlight; filled += 1) next(lane);
    }
  });
}
