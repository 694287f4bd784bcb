import {
  type Clock,
  type Recovery,
  type Store,
  type StoreBatch,
  StoreError,
  type Timer,
} from "@colloquy/protocol";
import { applyBatch } from "./apply-batch.js";
import { createLazyPart } from "./lazy-part.js";
import { contentOf, createMemoryDisk, type MemoryDisk } from "./memory-disk.js";
import { createReads } from "./reads.js";
import { recoverFrom } from "./recovery.js";

/** Milliseconds that a lazy part waits at most when a clock is given. */
const DEFAULT_LAZY_DELAY_MS = 50;

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /** What to work on; default: a new, empty disk. A disk that another open store uses is refused. */
  readonly disk?: MemoryDisk | undefined;
  /** With it, a waiting lazy part goes to the disk after `lazyDelayMs`; without it, with the next commit. */
  readonly clock?: Clock | undefined;
  /** Milliseconds; default 50. */
  readonly lazyDelayMs?: number | undefined;
}

function hasDurablePart(batch: StoreBatch): boolean {
  const { envelopes, channels, records, deliveries = [], audit = [] } = batch;
  const count = envelopes.length + channels.length + records.length + deliveries.length;
  return count + audit.length > 0;
}

/** A store in memory, with what a restart test needs. */
export interface MemoryStore extends Store {
  /** Outlives the store. */
  readonly disk: MemoryDisk;
  /**
   * Ends the store as a killed process ends: the lazy part that was not written is lost, every later
   * call rejects. The disk is free then.
   */
  crash(): void;
  /** A new store on the same disk and with the same options, after `close` or `crash`. */
  reopen(): MemoryStore;
}

/**
 * Opens a store that keeps everything in memory: full semantics of the port, no durability beyond
 * the life of its {@link MemoryDisk}.
 *
 * The lazy part of a batch waits in the store until the next commit with a durable part, a read of
 * the same kind, `close` or, with a clock, `lazyDelayMs`.
 *
 * @param options - all may be left out
 * @throws StoreError when the disk is in use by another open store
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { disk = createMemoryDisk(), clock, lazyDelayMs = DEFAULT_LAZY_DELAY_MS } = options;
  const content = contentOf(disk);
  if (content.inUse) {
    throw new StoreError("the memory disk is in use by another store: close that one first");
  }
  content.inUse = true;
  const lazy = createLazyPart();
  let timer: Timer | null = null;
  let ended: string | null = null;

  const assertOpen = (): void => {
    if (ended !== null) throw new StoreError(`the store ${ended}`);
  };
  const disarm = (): void => {
    timer?.cancel();
    timer = null;
  };
  const flush = (): void => {
    disarm();
    lazy.flush(content);
  };
  const end = (how: string): void => {
    disarm();
    ended = how;
    content.inUse = false;
  };

  return {
    durability: "none",
    blocks: true,
    disk,
    async recover(): Promise<Recovery> {
      assertOpen();
      flush();
      return recoverFrom(content);
    },
    async commit(batch: StoreBatch) {
      assertOpen();
      const isDurable = hasDurablePart(batch);
      // What waits is older than the records that are written now.
      if (isDurable) flush();
      const encoded = applyBatch(content, batch);
      lazy.add(encoded);
      if (isDurable) flush();
      else if (clock !== undefined && !lazy.isEmpty) timer ??= clock.setTimer(lazyDelayMs, flush);
    },
    ...createReads({ content, assertOpen, flush }),
    health: () => ({
      healthy: ended === null,
      reason: ended === null ? "" : `the store ${ended}`,
      bytes: null,
      audit_bytes: content.auditBytes,
    }),
    async close() {
      if (ended !== null) return;
      flush();
      end("is closed");
    },
    crash() {
      if (ended === null) end("has crashed");
    },
    reopen() {
      if (ended === null) throw new StoreError("the store is open: close or crash it first");
      return createMemoryStore({ ...options, disk });
    },
  };
}
