import type { DeliveryRecord } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";

/** What each participant has settled of each channel. */
export interface DeliveryTable {
  /** Inside a transaction. */
  write(delivery: DeliveryRecord): void;
  /** Of an agent, by channel; of one channel when it is given. */
  read(agentId: string, channelId: string | undefined): DeliveryRecord[];
  /** Those that are not settled. */
  unsettled(): DeliveryRecord[];
}

interface DeliveryRow {
  readonly agent_id: string;
  readonly channel_id: string;
  readonly cursor: string;
  readonly floor: number;
  readonly above: string;
  readonly settled: number;
}

/** Prepares a {@link DeliveryTable}. */
export function createDeliveryTable(db: Database): DeliveryTable {
  const upsert = db.prepare(
    `INSERT INTO delivery VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (agent_id, channel_id) DO UPDATE SET
       cursor = excluded.cursor, floor = excluded.floor, above = excluded.above, settled = excluded.settled`,
  );
  const ofAgent = db.prepare<[string], DeliveryRow>(
    "SELECT * FROM delivery WHERE agent_id = ? ORDER BY channel_id",
  );
  const ofChannel = db.prepare<[string, string], DeliveryRow>(
    "SELECT * FROM delivery WHERE agent_id = ? AND channel_id = ?",
  );
  const open = db.prepare<[], DeliveryRow>(
    "SELECT * FROM delivery WHERE settled = 0 ORDER BY agent_id, channel_id",
  );
  return {
    write(delivery) {
      upsert.run(
        delivery.agent_id,
        delivery.channel_id,
        delivery.cursor,
        delivery.floor,
        JSON.stringify(delivery.above),
        delivery.settled ? 1 : 0,
      );
    },
    read: (agentId, channelId) =>
      (channelId === undefined ? ofAgent.all(agentId) : ofChannel.all(agentId, channelId)).map(
        toDelivery,
      ),
    unsettled: () => open.all().map(toDelivery),
  };
}

function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    agent_id: row.agent_id,
    channel_id: row.channel_id,
    cursor: row.cursor,
    floor: row.floor,
    above: JSON.parse(row.above) as number[],
    settled: row.settled !== 0,
  };
}
