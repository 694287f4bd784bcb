import { setImmediate } from "node:timers";
import {
  type Clock,
  EMPTY_BATCH,
  formatTimestamp,
  type Logger,
  type Store,
  type StoreBatch,
  type StoredEnvelope,
  StoreError,
  type Timer,
  UnavailableError,
} from "@colloquy/protocol";
import type { Committer, StagedWork } from "./committer.js";
import { findLastRow } from "./find-last-row.js";
import { createLazyQueue } from "./lazy-queue.js";
import { countEnvelopes, toBatch, touchedChannels } from "./staged-batch.js";

/** Milliseconds that a lazy part waits for a durable one to ride along with. */
const LAZY_DELAY_MS = 50;
/** Milliseconds before something is tried again that the store has refused. */
const RETRY_MS = 1_000;

/** Input of {@link createCommitter}. */
export interface CommitterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Newest row of the store; the first row that is taken is the next one. */
  readonly startRow: number;
  /** Drops these channels from memory; called before the failed works are told. Must not throw. */
  onFailed(touchedChannelIds: readonly string[], isUnsure: boolean): void;
  /**
   * A commit that failed with an unknown outcome has been looked into: these channels may have more
   * in the store than was ever released. Must not throw.
   */
  onResynced?(touchedChannelIds: readonly string[]): void;
  /** Runs what follows a commit, all of it; default: just runs it. */
  around?(run: () => void): void;
  /** Measures a commit of so many envelopes; what it returns is called when the commit has ended. Must not throw. */
  readonly measure?: ((envelopes: number) => (failed: boolean) => void) | undefined;
}

/**
 * Makes the {@link Committer} of a store.
 *
 * Work that is staged in one turn of the event loop commits together at the end of that turn; what
 * is staged while a commit is in flight gathers for the next one.
 *
 * When a commit fails and the store does not say that nothing was written, what the store has counts:
 * new work is refused with `UnavailableError` until its end has been read.
 */
export function createCommitter(options: CommitterOptions): Committer {
  const { store, clock, logger, onFailed, onResynced = () => undefined } = options;
  const { around = (run) => run() } = options;
  const lazy = createLazyQueue();
  let queue: StagedWork[] = [];
  let inFlight: readonly StagedWork[] | null = null;
  let scheduled = false;
  let stopped = false;
  let committedRow = options.startRow;
  let nextRow = options.startRow + 1;
  let staged = 0;
  let stagedBytes = 0;
  let failure: Error | null = null;
  let lazyTimer: Timer | null = null;
  /** True once the lazy part has waited long enough: the next commit that may take it does. */
  let lazyDue = false;
  /** True after a failed commit until a lazy part has gone by itself, lest it fail the work it rides with. */
  let lazyAlone = false;
  /** True while it is not known where the store's log ends. */
  let lost = false;
  let idle: (() => void)[] = [];

  const assertRunning = (): void => {
    if (stopped) throw new UnavailableError("the hub has stopped writing: it is closing");
    if (lost) throw new UnavailableError("a failed commit is being looked into; retry later");
  };
  const disarmLazy = (): void => {
    lazyTimer?.cancel();
    lazyTimer = null;
    lazyDue = false;
  };
  const armLazy = (delayMs: number): void => {
    lazyTimer ??= clock.setTimer(delayMs, () => {
      lazyTimer = null;
      lazyDue = true;
      schedule();
    });
  };
  const schedule = (): void => {
    if (scheduled || inFlight !== null) return;
    scheduled = true;
    setImmediate(start);
  };
  const start = (): void => {
    scheduled = false;
    if (inFlight !== null) return;
    const goesAlone = lazyAlone && lazyDue;
    const works = goesAlone ? [] : queue;
    const rides = !lazyAlone || works.length === 0;
    if (rides) disarmLazy();
    const batch = toBatch(works, rides ? lazy.take() : EMPTY_BATCH.lazy);
    if (!goesAlone) queue = [];
    inFlight = works;
    const measured = options.measure?.(batch.envelopes.length);
    commitSafely(store, batch).then(
      () => {
        measured?.(false);
        finish(works, batch);
      },
      (error: unknown) => {
        measured?.(true);
        if (works.length > 0) fail(works, batch, error);
        else failLazy(batch, error);
      },
    );
  };
  const goOn = (): void => {
    if (queue.length > 0 || lazyDue) schedule();
    else if (idle.length > 0 && !lazy.isEmpty && !lazyAlone) schedule();
    else if (inFlight === null && !scheduled) {
      const waiting = idle;
      idle = [];
      for (const resolve of waiting) resolve();
    }
  };
  const finish = (works: readonly StagedWork[], batch: StoreBatch): void => {
    committedRow = batch.envelopes.at(-1)?.row ?? committedRow;
    staged -= batch.envelopes.length;
    stagedBytes -= sizeOf(batch.envelopes);
    if (isDurable(batch) || hasLazy(batch)) failure = null;
    if (!isDurable(batch) && hasLazy(batch)) lazyAlone = false;
    inFlight = null;
    around(() => {
      for (const work of works) runSafely(logger, () => work.onCommitted?.());
    });
    goOn();
  };
  const fail = (works: readonly StagedWork[], batch: StoreBatch, cause: unknown): void => {
    const error = toStoreError(cause);
    const failed = [...works, ...queue];
    queue = [];
    staged -= countEnvelopes(failed);
    for (const { envelopes = [] } of failed) stagedBytes -= sizeOf(envelopes);
    nextRow = committedRow + 1;
    noteFailure(error, batch);
    const touched = touchedChannels(failed);
    const isUnsure = error.details?.["outcome"] !== "none";
    runSafely(logger, () => onFailed(touched, isUnsure));
    if (isUnsure) void resync(touched);
    for (const work of failed) runSafely(logger, () => work.onFailed?.(error));
    goOn();
  };
  /** Nothing staged stands on a lazy part, so nothing but it is late. */
  const failLazy = (batch: StoreBatch, cause: unknown): void => {
    noteFailure(toStoreError(cause), batch);
    goOn();
  };
  const noteFailure = (error: StoreError, batch: StoreBatch): void => {
    const lostAudit = lazy.putBack(batch.lazy);
    inFlight = null;
    failure = error;
    lazyAlone = true;
    logger.error({ err: error, lost_audit_records: lostAudit }, "a commit has failed");
    if (lostAudit > 0) {
      const at = formatTimestamp(clock.now());
      lazy.add({ audit: [{ at, kind: "audit_lost", count: lostAudit }] });
    }
    if (!lazy.isEmpty && !stopped) armLazy(RETRY_MS);
  };
  const resync = async (touched: readonly string[]): Promise<void> => {
    lost = true;
    try {
      committedRow = await findLastRow(store, committedRow);
      nextRow = committedRow + 1;
      lost = false;
      runSafely(logger, () => onResynced(touched));
    } catch (error) {
      logger.error({ err: error }, "the end of the store's log cannot be read; trying again");
      if (!stopped) clock.setTimer(RETRY_MS, () => void resync(touched));
    }
  };
  const enqueue = (work: StagedWork): void => {
    assertRunning();
    queue.push(work);
    if (work.records !== undefined) lazy.supersede(work.records);
    staged += work.envelopes?.length ?? 0;
    stagedBytes += sizeOf(work.envelopes ?? []);
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
      if (stopped) return;
      lazy.add(part);
      if (queue.length === 0) armLazy(LAZY_DELAY_MS);
    },
    requireRunning: assertRunning,
    takeRow() {
      assertRunning();
      const row = nextRow;
      nextRow += 1;
      return row;
    },
    get staged() {
      return staged;
    },
    get stagedBytes() {
      return stagedBytes;
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
      disarmLazy();
    },
  };
}

/** A store that throws instead of rejecting fails the commit all the same; an empty batch needs none. */
async function commitSafely(store: Store, batch: StoreBatch): Promise<void> {
  if (isDurable(batch) || hasLazy(batch)) await store.commit(batch);
}

/** A character counted as one byte: what most JSON is, and cheap to tell. */
function sizeOf(envelopes: readonly StoredEnvelope[]): number {
  let size = 0;
  for (const { body } of envelopes) size += body.length;
  return size;
}

function hasLazy({ lazy }: StoreBatch): boolean {
  const { deliveries, audit, snapshots, records = [], prune_audit_to = 0 } = lazy;
  const entries = deliveries.length + audit.length + snapshots.length + records.length;
  return entries > 0 || prune_audit_to > 0;
}

function isDurable(batch: StoreBatch): boolean {
  const { envelopes, channels, records, deliveries = [], audit = [] } = batch;
  const parts = [envelopes, channels, records, deliveries, audit];
  return parts.some((part) => part.length > 0);
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
