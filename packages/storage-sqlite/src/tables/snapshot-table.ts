import type { Snapshot } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";

/** The newest snapshot of each channel. */
export interface SnapshotTable {
  /** Inside a transaction. */
  write(channel: number, snapshot: Snapshot): void;
  read(channel: number, channelId: string): Snapshot | null;
}

interface SnapshotRow {
  readonly n: number;
  readonly position: number;
  readonly hash: string;
  readonly state: string;
}

/** Prepares a {@link SnapshotTable}. */
export function createSnapshotTable(db: Database): SnapshotTable {
  const upsert = db.prepare(
    `INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (channel) DO UPDATE SET
       n = excluded.n, position = excluded.position, hash = excluded.hash, state = excluded.state`,
  );
  const select = db.prepare<[number], SnapshotRow>(
    "SELECT n, position, hash, state FROM snapshot WHERE channel = ?",
  );
  return {
    write(channel, { row, position, hash, state }) {
      upsert.run(channel, row, position, hash, state);
    },
    read(channel, channelId) {
      const found = select.get(channel);
      if (found === undefined) return null;
      const { n, position, hash, state } = found;
      return { channel_id: channelId, position, row: n, hash, state };
    },
  };
}
