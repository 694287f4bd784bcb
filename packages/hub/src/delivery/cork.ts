import type { BoundConnection } from "./delivery.js";

/** Holds the connections that a batch touches back until the batch is through. */
export interface Corks {
  /** Runs `run` as one batch; batches may nest. */
  during(run: () => void): void;
  /** Corks a connection, once per batch; outside of a batch it does nothing. */
  touch(connection: BoundConnection): void;
}

/** Makes the corks of one hub. */
export function createCorks(): Corks {
  const corked = new Set<BoundConnection>();
  let depth = 0;
  const release = (): void => {
    for (const { peer } of corked) {
      try {
        peer.uncork();
      } catch {
        // A peer that has gone has nothing to uncork.
      }
    }
    corked.clear();
  };
  return {
    during(run) {
      depth += 1;
      try {
        run();
      } finally {
        depth -= 1;
        if (depth === 0) release();
      }
    },
    touch(connection) {
      if (depth === 0 || corked.has(connection)) return;
      corked.add(connection);
      connection.peer.cork();
    },
  };
}
