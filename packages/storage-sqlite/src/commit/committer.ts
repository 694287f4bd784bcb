import {
  type Clock,
  type Logger,
  type NetworkError,
  type StoreBatch,
  StoreError,
  type Timer,
} from "@colloquy/protocol";
import { isBusy, storeFault } from "../file/store-fault.js";
import type { BatchWriter } from "./batch-writer.js";
import { type EncodedBatch, encodeBatch } from "./encode-batch.js";
import type { LazyBuffer } from "./lazy-buffer.js";

/** Milliseconds until a lock is tried again: the first time, and at most. */
const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 100;
/** Milliseconds until a lazy part that could not be written, or housekeeping, is tried again. */
const LATER_MS = 1_000;
/** Commits between two rounds of housekeeping under load. */
const COMMITS_PER_TIDY = 64;

/** Takes batches, decides when their lazy part is written, and waits for locks without blocking. */
export interface Committer {
  commit(batch: StoreBatch): Promise<void>;
  /** Writes all that waits, so that reads see it. */
  flush(): Promise<void>;
  /** Waits for the commit in flight, writes all that waits and the heads. Nothing is taken afterwards. */
  close(): Promise<void>;
  /** Why the newest commit failed; empty while commits work. */
  readonly failure: string;
  /** Lazy entries that wait. */
  readonly waiting: number;
}

/** What {@link createCommitter} works on. */
export interface CommitterOptions {
  readonly writer: BatchWriter;
  readonly waiting: LazyBuffer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly path: string;
  readonly busyTimeoutMs: number;
  readonly lazyDelayMs: number;
  /** Runs a write that need not survive power loss. */
  relaxed(work: () => void): void;
  /** Housekeeping, called now and then outside transactions; true asks for another call soon. */
  tidy(): boolean;
}

/** Makes a {@link Committer}. */
export function createCommitter(options: CommitterOptions): Committer {
  const { writer, waiting, clock, logger, path, busyTimeoutMs, lazyDelayMs } = options;
  let failure = "";
  let timer: Timer | null = null;
  let closing = false;
  let commits = 0;
  let inFlight: Promise<void> = Promise.resolve();

  const failed = (error: unknown): NetworkError => {
    const fault = storeFault(error, "committing to", path);
    // A batch that does not fit says nothing about the store's health.
    if (fault.details?.["sqlite_code"]) failure = fault.message;
    return fault;
  };
  /** Tries at once; while another process holds the lock, again until the time is up. */
  const attempt = (work: () => void): Promise<void> => {
    try {
      work();
      return Promise.resolve();
    } catch (error) {
      if (!isBusy(error) || busyTimeoutMs === 0) return Promise.reject(failed(error));
      return retry(work);
    }
  };
  const retry = async (work: () => void): Promise<void> => {
    let delayMs = FIRST_RETRY_MS;
    for (
      let waitedMs = 0;
      ;
      waitedMs += delayMs, delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)
    ) {
      await new Promise<void>((resolve) => void clock.setTimer(delayMs, resolve));
      try {
        work();
        return;
      } catch (error) {
        if (!isBusy(error) || waitedMs + delayMs >= busyTimeoutMs) throw failed(error);
      }
    }
  };
  const writeWaiting = (): void => {
    if (waiting.size === 0) return;
    options.relaxed(() => writer.writeWaiting(false));
    failure = "";
  };
  const writeDurable = (batch: EncodedBatch): void => {
    writer.writeDurable(batch);
    failure = "";
  };
  const arm = (delayMs: number): void => {
    if (!closing) timer ??= clock.setTimer(delayMs, onTimer);
  };
  const tidy = (): void => {
    try {
      if (options.tidy()) arm(LATER_MS);
    } catch (error) {
      logger.warn({ path, error: failed(error).message }, "housekeeping must wait");
      arm(LATER_MS);
    }
  };
  const onTimer = (): void => {
    timer = null;
    try {
      writeWaiting();
    } catch (error) {
      const fault = failed(error);
      logger.warn({ path, error: fault.message, waiting: waiting.size }, "a lazy write must wait");
      arm(LATER_MS);
    }
    tidy();
  };
  const write = (batch: EncodedBatch): void => {
    const { envelopes, channels, records, deliveries, audit } = batch;
    const count = envelopes.length + channels.length + records.length + deliveries.length;
    const isDurable = count + audit.length > 0;
    if (isDurable) writeDurable(batch);
    else if (writer.isFull) writeWaiting();
    waiting.add(batch.lazy);
    if (waiting.size > 0) arm(lazyDelayMs);
    commits += 1;
    if (commits % COMMITS_PER_TIDY === 0) tidy();
  };

  return {
    get failure() {
      return failure;
    },
    get waiting() {
      return waiting.size;
    },
    commit(batch) {
      if (closing) return Promise.reject(new StoreError("the store is closed"));
      let encoded: EncodedBatch;
      try {
        encoded = encodeBatch(batch);
      } catch (error) {
        return Promise.reject(error);
      }
      const committing = attempt(() => write(encoded));
      inFlight = committing;
      return committing;
    },
    flush: () => (waiting.size === 0 ? Promise.resolve() : attempt(writeWaiting)),
    async close() {
      closing = true;
      timer?.cancel();
      timer = null;
      await inFlight.catch(() => undefined);
      await attempt(() => writer.writeWaiting(true));
    },
  };
}
