import {
  type ChannelHead,
  type StoredEnvelope,
  StoreError,
  type WalPage,
  type WalRange,
  walWindow,
} from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import { type HeadIndex, NO_HEAD } from "./head-index.js";
import { ENVELOPE_COLUMNS, type EnvelopeRow, toStored } from "./stored-row.js";

/** Reads the log by channel, by row and by id. */
export interface LogReader {
  readWal(channelId: string, range: WalRange): WalPage;
  readHead(channelId: string): ChannelHead;
  /** The envelopes of a channel from one position to its head. */
  readTail(channelId: string, from: number): StoredEnvelope[];
  readEnvelope(envelopeId: string): StoredEnvelope | null;
  readLog(after: number, limit: number): StoredEnvelope[];
  /** Rows below one, newest first. */
  readLogBack(before: number, limit: number): StoredEnvelope[];
  /** One row; null when it is missing. */
  readRow(row: number): StoredEnvelope | null;
}

const PREFIXED = ENVELOPE_COLUMNS.split(", ")
  .map((column) => `e.${column}`)
  .join(", ");

/** Prepares a {@link LogReader}. */
export function createLogReader(db: Database, index: HeadIndex): LogReader {
  const nearestAnchor = db.prepare<[number, number, number], { n: number; position: number }>(
    "SELECT n, position FROM anchor WHERE channel = ? AND position >= ? AND position < ? ORDER BY position LIMIT 1",
  );
  // Follows `prev` from a row at or behind the range down to the range's start.
  const walk = db.prepare<[number, number, number], EnvelopeRow>(
    `WITH RECURSIVE back (n, prev, position, channel) AS (
       SELECT n, prev, position, channel FROM envelope WHERE n = ?
       UNION ALL
       SELECT e.n, e.prev, e.position, e.channel
       FROM back JOIN envelope e ON e.n = back.prev
       WHERE back.position > ? AND e.n < back.n
     )
     SELECT ${PREFIXED} FROM back JOIN envelope e ON e.n = back.n
     WHERE back.position <= ?`,
  );
  const rowAt = db.prepare<[number], { n: number; id: string }>(
    "SELECT n, id FROM envelope WHERE n >= ? ORDER BY n LIMIT 1",
  );
  const withChannel = db.prepare<[number], EnvelopeRow & { channel_id: string }>(
    `SELECT ${PREFIXED}, c.id AS channel_id FROM envelope e JOIN channel c ON c.n = e.channel WHERE e.n = ?`,
  );
  const logPage = db.prepare<[number, number], EnvelopeRow & { channel_id: string }>(
    `SELECT ${PREFIXED}, c.id AS channel_id
     FROM envelope e JOIN channel c ON c.n = e.channel WHERE e.n > ? ORDER BY e.n LIMIT ?`,
  );
  const logPageBack = db.prepare<[number, number], EnvelopeRow & { channel_id: string }>(
    `SELECT ${PREFIXED}, c.id AS channel_id
     FROM envelope e JOIN channel c ON c.n = e.channel WHERE e.n < ? ORDER BY e.n DESC LIMIT ?`,
  );

  const headOf = (channelId: string): { channel: number; head: ChannelHead } | null => {
    const channel = index.numberOf(channelId);
    return channel === null ? null : { channel, head: index.headOf(channel) };
  };
  const readSpan = (
    channelId: string,
    { channel, head }: { channel: number; head: ChannelHead },
    from: number,
    to: number,
  ): StoredEnvelope[] => {
    if (to < from) return [];
    const start = to === head.position ? undefined : nearestAnchor.get(channel, to, head.position);
    const rows = walk.all(start?.n ?? head.row, from, to);
    assertWhole(channelId, channel, rows, from, to);
    return rows.reverse().map((row) => toStored(row, channelId));
  };

  return {
    readWal(channelId, range) {
      const place = headOf(channelId);
      const head = place?.head.position ?? 0;
      const { from, to, next } = walWindow(range, head);
      const envelopes = place === null ? [] : readSpan(channelId, place, from, to);
      return { envelopes, next, head };
    },
    readHead: (channelId) => headOf(channelId)?.head ?? NO_HEAD,
    readTail(channelId, from) {
      const place = headOf(channelId);
      return place === null ? [] : readSpan(channelId, place, from, place.head.position);
    },
    readEnvelope(envelopeId) {
      // Ids and rows grow together, so halving finds an id without an index.
      let low = 1;
      let high = index.lastRow;
      while (low <= high) {
        const middle = Math.floor((low + high) / 2);
        const found = rowAt.get(middle);
        if (found === undefined || found.id > envelopeId) high = middle - 1;
        else if (found.id < envelopeId) low = found.n + 1;
        else {
          const row = withChannel.get(found.n);
          return row === undefined ? null : toStored(row, row.channel_id);
        }
      }
      return null;
    },
    readLog: (after, limit) =>
      logPage.all(after, limit).map((row) => toStored(row, row.channel_id)),
    readLogBack: (before, limit) =>
      logPageBack.all(before, limit).map((row) => toStored(row, row.channel_id)),
    readRow(n) {
      const row = withChannel.get(n);
      return row === undefined ? null : toStored(row, row.channel_id);
    },
  };
}

/** Rows are newest first. A gap or a stranger among them means that the chain of `prev` is broken. */
function assertWhole(
  channelId: string,
  channel: number,
  rows: readonly EnvelopeRow[],
  from: number,
  to: number,
): void {
  const broken = rows.findIndex((row, at) => row.channel !== channel || row.position !== to - at);
  if (broken < 0 && rows.length === to - from + 1) return;
  const position = to - (broken < 0 ? rows.length : broken);
  throw new StoreError(
    `channel ${channelId} is broken: position ${position} is missing from its chain`,
    { details: { reason: "broken_chain", channel_id: channelId, position } },
  );
}
