import type { Clock, Envelope, Timer } from "@colloquy/protocol";
import { ClientError } from "../errors.js";

/** Tells whether an envelope is the one that is waited for. */
export type EnvelopePredicate = (envelope: Envelope) => boolean;

/** How a wait may end without an envelope. */
export interface WaitOptions {
  /** Milliseconds; absent or null: no limit. */
  readonly timeoutMs?: number | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Envelopes that have arrived and were not read yet.
 *
 * Bounded: when it is full the oldest one is left out and counted, so that an inbox nobody reads
 * costs no memory and what comes last is always there.
 */
export interface EnvelopeQueue {
  readonly size: number;
  /** Envelopes that were left out because the queue was full. */
  readonly dropped: number;
  /** What is unread, oldest first; nothing is taken out. */
  peek(): readonly Envelope[];
  /**
   * Takes out envelopes until one meets the predicate, and resolves with that one; those before it
   * are gone. Rejects with `client/timed_out`, `client/aborted`, the error that ended the queue, or what
   * the predicate throws; the envelope on which it threw stays unread.
   * Several may wait: an envelope goes to the first whose predicate it meets.
   */
  take(predicate: EnvelopePredicate, options?: WaitOptions): Promise<Envelope>;
}

/** An {@link EnvelopeQueue} and its writing end. */
export interface WritableQueue extends EnvelopeQueue {
  readonly waiting: number;
  push(envelope: Envelope): void;
  /** Fails those who wait, and from now on everybody who finds nothing unread. */
  end(error: Error): void;
}

interface Waiter {
  readonly predicate: EnvelopePredicate;
  resolve(envelope: Envelope): void;
  reject(error: Error): void;
}

/** Makes a {@link WritableQueue} of at most so many envelopes. */
export function createEnvelopeQueue(clock: Clock, capacity: number): WritableQueue {
  const unread: Envelope[] = [];
  const waiters = new Set<Waiter>();
  let dropped = 0;
  let ended: Error | null = null;

  const takeUnread = (predicate: EnvelopePredicate): Envelope | null => {
    for (let next = unread[0]; next !== undefined; next = unread[0]) {
      // A predicate that throws has judged nothing: the envelope stays unread.
      const isWanted = predicate(next);
      unread.shift();
      if (isWanted) return next;
    }
    return null;
  };
  return {
    get size() {
      return unread.length;
    },
    get dropped() {
      return dropped;
    },
    get waiting() {
      return waiters.size;
    },
    peek: () => [...unread],
    take(predicate, { timeoutMs = null, signal } = {}) {
      return new Promise((resolve, reject) => {
        const found = takeUnread(predicate);
        if (found !== null) return resolve(found);
        if (ended !== null) return reject(ended);
        if (signal?.aborted) return reject(aborted(signal));
        let timer: Timer | null = null;
        const onAbort = (): void => waiter.reject(aborted(signal));
        const leave = (): void => {
          waiters.delete(waiter);
          timer?.cancel();
          signal?.removeEventListener("abort", onAbort);
        };
        const waiter: Waiter = {
          predicate,
          resolve(envelope) {
            leave();
            resolve(envelope);
          },
          reject(error) {
            leave();
            reject(error);
          },
        };
        waiters.add(waiter);
        signal?.addEventListener("abort", onAbort);
        if (timeoutMs === null) return undefined;
        timer = clock.setTimer(timeoutMs, () => {
          const text = `no such envelope within ${timeoutMs} ms`;
          waiter.reject(new ClientError("client/timed_out", text));
        });
        return undefined;
      });
    },
    push(envelope) {
      if (ended !== null) return;
      const taker = [...waiters].find((waiter) => meets(waiter, envelope));
      if (taker !== undefined) return taker.resolve(envelope);
      if (waiters.size > 0) return;
      unread.push(envelope);
      if (unread.length <= capacity) return;
      unread.shift();
      dropped += 1;
    },
    end(error) {
      ended ??= error;
      for (const waiter of [...waiters]) waiter.reject(error);
    },
  };
}

/** A predicate that throws fails its own wait and nobody else's. */
function meets(waiter: Waiter, envelope: Envelope): boolean {
  try {
    return waiter.predicate(envelope);
  } catch (error) {
    waiter.reject(error instanceof Error ? error : new Error(String(error)));
    return false;
  }
}

function aborted(signal: AbortSignal | undefined): ClientError {
  return new ClientError("client/aborted", "the wait was aborted", { cause: signal?.reason });
}
