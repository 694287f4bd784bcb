/** Runs what one agent has to do: one thing at a time per channel, channels in parallel. */
export interface TurnQueue {
  /** Things that are running or wait. */
  readonly size: number;
  /**
   * Queues a task behind those of its channel. The signal is aborted when the channel is cancelled.
   * Resolves when the task has ended; rejects as it does.
   */
  run(channelId: string, task: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Aborts what runs in a channel; what waits by now is run in its turn, with its signal aborted. */
  cancel(channelId: string, reason: Error): void;
  /** Aborts what runs, anywhere, and what comes. */
  cancelAll(reason: Error): void;
}

interface Lane {
  tail: Promise<void>;
  length: number;
  running: AbortController | null;
  /** Waiting tasks of an earlier generation have been cancelled. */
  generation: number;
  cancelled: Error | null;
}

/** Makes a {@link TurnQueue}. */
export function createTurnQueue(): TurnQueue {
  const lanes = new Map<string, Lane>();
  let size = 0;
  let stopped: Error | null = null;

  const work = async (
    lane: Lane,
    generation: number,
    task: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    const controller = new AbortController();
    if (stopped !== null) controller.abort(stopped);
    else if (generation < lane.generation) controller.abort(lane.cancelled);
    lane.running = controller;
    try {
      await task(controller.signal);
    } finally {
      lane.running = null;
    }
  };
  const leave = (channelId: string, lane: Lane): void => {
    lane.length -= 1;
    if (lane.length === 0) lanes.delete(channelId);
    size -= 1;
  };
  return {
    get size() {
      return size;
    },
    run(channelId, task) {
      const lane = lanes.get(channelId) ?? newLane();
      const { generation } = lane;
      lanes.set(channelId, lane);
      lane.length += 1;
      size += 1;
      const done = lane.tail
        .then(() => work(lane, generation, task))
        .finally(() => leave(channelId, lane));
      lane.tail = done.catch(() => undefined);
      return done;
    },
    cancel(channelId, reason) {
      const lane = lanes.get(channelId);
      if (lane === undefined) return;
      lane.generation += 1;
      lane.cancelled = reason;
      lane.running?.abort(reason);
    },
    cancelAll(reason) {
      stopped = reason;
      for (const lane of lanes.values()) lane.running?.abort(reason);
    },
  };
}

function newLane(): Lane {
  return { tail: Promise.resolve(), length: 0, running: null, generation: 0, cancelled: null };
}
