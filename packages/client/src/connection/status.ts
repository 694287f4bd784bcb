/** Where a connection is. `idle`: not needed, so not dialled. `closed` is final. */
export type ConnectionState = "idle" | "connecting" | "open" | "reconnecting" | "closed";

/** One step in the life of a connection. */
export interface ConnectionStatus {
  readonly state: ConnectionState;
  /** Attempts since the last stable link. */
  readonly attempt: number;
  /** Why, in words; empty when there is nothing to say. */
  readonly reason: string;
}

/** Steps that one reader may lag behind; older ones are left out. */
const MAX_LAG = 64;

/** The present status and everybody who follows it. */
export interface StatusFeed {
  readonly current: ConnectionStatus;
  set(status: ConnectionStatus): void;
  /** Starts with the present status and ends after `closed`. A slow reader misses the oldest steps. */
  follow(): AsyncIterableIterator<ConnectionStatus>;
}

/** Makes a {@link StatusFeed}. */
export function createStatusFeed(): StatusFeed {
  let current: ConnectionStatus = { state: "idle", attempt: 0, reason: "" };
  const followers = new Set<(status: ConnectionStatus) => void>();
  return {
    get current() {
      return current;
    },
    set(status) {
      current = status;
      for (const follower of [...followers]) follower(status);
    },
    follow() {
      const unread: ConnectionStatus[] = [current];
      let wake: (() => void) | null = null;
      const take = (status: ConnectionStatus): void => {
        unread.push(status);
        if (unread.length > MAX_LAG) unread.shift();
        wake?.();
      };
      followers.add(take);
      let hasLeft = false;
      const steps = readSteps();
      return {
        [Symbol.asyncIterator]() {
          return this;
        },
        next: () => steps.next(),
        // A reader that waits for the next step is let go at once.
        async return() {
          hasLeft = true;
          followers.delete(take);
          wake?.();
          return steps.return();
        },
      };

      async function* readSteps(): AsyncGenerator<ConnectionStatus, void> {
        try {
          while (!hasLeft) {
            const next = unread.shift();
            if (next === undefined) {
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
              continue;
            }
            yield next;
            if (next.state === "closed") return;
          }
        } finally {
          followers.delete(take);
        }
      }
    },
  };
}
