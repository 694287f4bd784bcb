import {
  type ChannelFilter,
  type ChannelMetadata,
  type ChannelState,
  channelMetadataSchema,
  isTerminalState,
  pageLimit,
  StoreError,
} from "@colloquy/protocol";
import type { Database, Statement } from "better-sqlite3";

/** Channels: one row each with the metadata as JSON, and who is a member of what. */
export interface ChannelTable {
  /** Inside a transaction. */
  write(channel: ChannelMetadata, text: string): void;
  /** Throws `StoreError` when the metadata cannot be read. */
  read(channelId: string): ChannelMetadata | null;
  /** Leaves out channels whose metadata cannot be read. */
  list(filter: ChannelFilter): ChannelMetadata[];
  /** Ids of channels that are not closed, lowest first, strictly above one. */
  openAbove(channelId: string, limit: number): string[];
}

interface MetadataRow {
  readonly id: string;
  readonly metadata: string;
}

const OPEN = "state NOT IN ('closed', 'expired')";

/** Prepares a {@link ChannelTable}. */
export function createChannelTable(db: Database): ChannelTable {
  const upsert = db.prepare(
    `INSERT INTO channel (id, state, metadata) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, metadata = excluded.metadata`,
  );
  const select = db.prepare<[string], MetadataRow>("SELECT id, metadata FROM channel WHERE id = ?");
  const addMember = db.prepare("INSERT OR IGNORE INTO member VALUES (?, ?)");
  const dropMember = db.prepare("DELETE FROM member WHERE agent_id = ? AND channel_id = ?");
  const dropMembers = db.prepare("DELETE FROM member WHERE channel_id = ?");
  const open = db.prepare<[string, number], { id: string }>(
    `SELECT id FROM channel WHERE id > ? AND ${OPEN} ORDER BY id LIMIT ?`,
  );
  const lists = new Map<string, Statement<unknown[], MetadataRow>>();

  const leavers = (before: MetadataRow, members: ReadonlySet<string>): string[] | null => {
    try {
      return parseMetadata(before)
        .participants.map((member) => member.agent_id)
        .filter((agentId) => !members.has(agentId));
    } catch {
      return null;
    }
  };

  return {
    write(channel, text) {
      const id = channel.channel_id;
      const members = new Set(channel.participants.map((member) => member.agent_id));
      const before = select.get(id);
      if (before !== undefined) {
        const left = leavers(before, members);
        if (left === null) dropMembers.run(id);
        else for (const agentId of left) dropMember.run(agentId, id);
      }
      upsert.run(id, channel.state, text);
      for (const agentId of members) addMember.run(agentId, id);
    },
    read(channelId) {
      const row = select.get(channelId);
      return row === undefined ? null : parseMetadata(row);
    },
    list(filter) {
      const limit = pageLimit(filter.limit);
      if (filter.states?.length === 0) return [];
      const { sql, values } = listQuery(filter);
      const statement = lists.get(sql) ?? db.prepare<unknown[], MetadataRow>(sql);
      lists.set(sql, statement);
      const found: ChannelMetadata[] = [];
      for (const row of statement.iterate(...values)) {
        const channel = tryParse(row);
        if (channel !== null) found.push(channel);
        if (found.length >= limit) break;
      }
      return found;
    },
    openAbove: (channelId, limit) => open.all(channelId, limit).map((row) => row.id),
  };
}

/** Few shapes, so that each can be prepared once. */
function listQuery(filter: ChannelFilter): { sql: string; values: unknown[] } {
  const states: readonly ChannelState[] = [...new Set(filter.states ?? [])];
  const onlyOpen = states.length > 0 && !states.some(isTerminalState);
  const where = [
    filter.agent_id === undefined ? "c.id > ?" : "m.agent_id = ? AND m.channel_id > ?",
    ...(states.length > 0 ? [`c.state IN (${states.map(() => "?").join(", ")})`] : []),
    ...(onlyOpen ? [`c.${OPEN}`] : []),
  ].join(" AND ");
  const from =
    filter.agent_id === undefined
      ? "channel c"
      : "member m CROSS JOIN channel c ON c.id = m.channel_id";
  const order = filter.agent_id === undefined ? "c.id" : "m.channel_id";
  return {
    sql: `SELECT c.id, c.metadata FROM ${from} WHERE ${where} ORDER BY ${order}`,
    values: [
      ...(filter.agent_id === undefined ? [] : [filter.agent_id]),
      filter.after ?? "",
      ...states,
    ],
  };
}

function tryParse(row: MetadataRow): ChannelMetadata | null {
  try {
    return parseMetadata(row);
  } catch {
    return null;
  }
}

function parseMetadata({ id, metadata }: MetadataRow): ChannelMetadata {
  try {
    return channelMetadataSchema.parse(JSON.parse(metadata));
  } catch (cause) {
    throw new StoreError(
      `the metadata of channel ${id} cannot be read: they are no valid JSON of that kind`,
      {
        cause,
        details: { reason: "broken_metadata", channel_id: id },
      },
    );
  }
}
