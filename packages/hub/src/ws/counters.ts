/** What a server has counted since it started. */
export interface ServeCounters {
  /** Upgrades that became connections. */
  accepted: number;
  /** Upgrades that were refused, by origin, path, subprotocol or number. */
  refused: number;
  /** Sockets closed for a message beyond `maxFrameBytes`. */
  oversized: number;
  /** Sockets closed for a breach of the WebSocket protocol. */
  violations: number;
  /** Sockets cut because nothing came from them. */
  silent: number;
}

/** Makes counters that stand at 0. */
export function createCounters(): ServeCounters {
  return { accepted: 0, refused: 0, oversized: 0, violations: 0, silent: 0 };
}
