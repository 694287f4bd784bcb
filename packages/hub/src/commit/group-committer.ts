import { setImmediate } from "node:timers";
import {
  type Clock,
  type Logger,
  type Store,
  type StoreBatch,
  StoreError,
  type Timer,
  UnavailableError,
} from "@colloquy/protocol";
import type { Committer, StagedWork } from "./committer.js";
import { createLazyQueue } from "./lazy-queue.js";
import { countEnvelopes, toBatch, touchedChannels } from "./staged-batch.js";

/** Milliseconds that a lazy part waits for a durable one to ride along with. */
const LAZY_DELAY_MS = 50;
/** Milliseconds before a lazy part is tried again after a failed commit. */
const LAZY_RETRY_MS = 1_000;

/** Input of {@link createCommitter}. */
export interface CommitterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Newest row of the store; the first row that is taken is the next one. */
  readonly startRow: number;
  /** Drops these channels from memory; called before the failed works are told. Must not throw. */
  onFailed(touchedChannelIds: readonly string[]): void;
  /** Runs what follows a commit, all of it; default: just runs it. */
  around?(run: () => void): void;
}

/**
 * Makes the {@link Committer} of a store.
 *
 * Work that is staged in one turn of the event loop commits together at the end of that turn; what
 * is staged while a commit is in flight gathers for the next one.
 */
export function createCommitter(options: CommitterOptions): Committer {
  const { store, clock, logger, onFailed, around = (run) => run() } = options;
  const lazy = createLazyQueue();
  let queue: StagedWork[] = [];
  let inFlight: readonly StagedWork[] | null = null;
  let scheduled = false;
  let stopped = false;
  let committedRow = options.startRow;
  let nextRow = options.startRow + 1;
  let staged = 0;
  let failure: Error | null = null;
  let lazyTimer: Timer | null = null;
  let idle: (() => void)[] = [];

  const assertRunning = (): void => {
    if (stopped) throw new UnavailableError("the hub has stopped writing: it is closing");
  };
  const disarmLazy = (): void => {
    lazyTimer?.cancel();
    lazyTimer = null;
  };
  const schedule = (): void => {
    if (scheduled || inFlight !== null) return;
    scheduled = true;
    setImmediate(start);
  };
  const start = (): void => {
    scheduled = false;
    if (inFlight !== null) return;
    disarmLazy();
    const works = queue;
    const batch = toBatch(works, lazy.take());
    queue = [];
    inFlight = works;
    commitSafely(store, batch).then(
      () => finish(works, batch),
      (error: unknown) => (works.length > 0 ? fail(works, batch, error) : failLazy(batch, error)),
    );
  };
  const goOn = (): void => {
    if (queue.length > 0) schedule();
    else if (idle.length > 0 && !lazy.isEmpty && failure === null) schedule();
    else if (inFlight === null && !scheduled) {
      const waiting = idle;
      idle = [];
      for (const resolve of waiting) resolve();
    }
  };
  const finish = (works: readonly StagedWork[], batch: StoreBatch): void => {
    committedRow = batch.envelopes.at(-1)?.row ?? committedRow;
    staged -= batch.envelopes.length;
    if (isDurable(batch)) failure = null;
    inFlight = null;
    around(() => {
      for (const work of works) runSafely(logger, () => work.onCommitted?.());
    });
    goOn();
  };
  const fail = (works: readonly StagedWork[], batch: StoreBatch, cause: unknown): void => {
    const error = toStoreError(cause);
    const lost = lazy.putBack(batch.lazy);
    const failed = [...works, ...queue];
    queue = [];
    inFlight = null;
    failure = error;
    staged -= countEnvelopes(failed);
    nextRow = committedRow + 1;
    logger.error(
      { err: error, works: failed.length, lost_audit_records: lost },
      "a commit has failed: everything staged was refused",
    );
    runSafely(logger, () => onFailed(touchedChannels(failed)));
    for (const work of failed) runSafely(logger, () => work.onFailed?.(error));
    retryLazy();
    goOn();
  };
  /** Nothing staged stands on a lazy part, so nothing but it is late. */
  const failLazy = (batch: StoreBatch, cause: unknown): void => {
    const lost = lazy.putBack(batch.lazy);
    inFlight = null;
    failure = toStoreError(cause);
    logger.error({ err: failure, lost_audit_records: lost }, "a lazy write has failed");
    retryLazy();
    goOn();
  };
  const retryLazy = (): void => {
    if (!lazy.isEmpty && !stopped) lazyTimer ??= clock.setTimer(LAZY_RETRY_MS, schedule);
  };
  const enqueue = (work: StagedWork): void => {
    assertRunning();
    queue.push(work);
    staged += work.envelopes?.length ?? 0;
    schedule();
  };

  return {
    enqueue,
    stage(work) {
      return new Promise((resolve, reject) => {
        enqueue({
          ...work,
          onCommitted: () => {
            resolve();
            work.onCommitted?.();
          },
          onFailed: (error) => {
            reject(error);
            work.onFailed?.(error);
          },
        });
      });
    },
    lazily(part) {
      lazy.add(part);
      if (queue.length === 0) lazyTimer ??= clock.setTimer(LAZY_DELAY_MS, schedule);
    },
    takeRow() {
      assertRunning();
      const row = nextRow;
      nextRow += 1;
      return row;
    },
    get staged() {
      return staged;
    },
    get failure() {
      return failure;
    },
    flush() {
      return new Promise((resolve) => {
        idle.push(resolve);
        if (queue.length > 0 || !lazy.isEmpty) schedule();
        else goOn();
      });
    },
    stop() {
      stopped = true;
    },
  };
}

/** A store that throws instead of rejecting fails the commit all the same; an empty batch needs none. */
async function commitSafely(store: Store, batch: StoreBatch): Promise<void> {
  const { deliveries, audit, snapshots } = batch.lazy;
  if (isDurable(batch) || deliveries.length + audit.length + snapshots.length > 0) {
    await store.commit(batch);
  }
}

function isDurable(batch: StoreBatch): boolean {
  return batch.envelopes.length + batch.channels.length + batch.records.length > 0;
}

function runSafely(logger: Logger, run: () => void): void {
  try {
    run();
  } catch (error) {
    logger.error({ err: error }, "a step after a commit threw");
  }
}

function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`the store could not commit: ${reason}`, { cause });
}
