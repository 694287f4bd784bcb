import { checkAppend } from "@colloquy/protocol";
import type { Transactor } from "../file/transactor.js";
import { type LogWriter, takeIn } from "../log/append-log.js";
import { type HeadIndex, NO_HEAD } from "../log/head-index.js";
import type { AuditEnd } from "../tables/audit-table.js";
import type { Tables } from "../tables/tables.js";
import type { EncodedBatch } from "./encode-batch.js";
import type { LazyBuffer } from "./lazy-buffer.js";

/** Entries that may wait; one more commit then writes them with its own transaction. */
const MAX_WAITING = 10_000;

/** Writes batches and the waiting lazy part, each in one transaction. */
export interface BatchWriter {
  /**
   * Writes the durable part; with it what has waited too long or grown too big. Throws and leaves
   * file and memory as they were.
   */
  writeDurable(batch: EncodedBatch): void;
  /** Writes all that waits, and the heads when they are due or `withMark` is true. */
  writeWaiting(withMark: boolean): void;
  /** True when so much waits that no more may be put there. */
  readonly isFull: boolean;
}

/** What {@link createBatchWriter} works on. */
export interface BatchContext {
  readonly transact: Transactor;
  readonly index: HeadIndex;
  readonly tables: Tables;
  readonly log: LogWriter;
  readonly waiting: LazyBuffer;
}

/** Makes a {@link BatchWriter}. */
export function createBatchWriter(context: BatchContext): BatchWriter {
  const { transact, index, tables, log, waiting } = context;

  const putWaiting = (withMark: boolean): AuditEnd => {
    for (const delivery of waiting.deliveries) tables.deliveries.write(delivery);
    for (const snapshot of waiting.snapshots) {
      const channel = index.numberOf(snapshot.channel_id);
      if (channel !== null) tables.snapshots.write(channel, snapshot);
    }
    for (const record of waiting.records) tables.records.write(record);
    if (withMark) index.writeMark();
    const end = tables.audit.append(waiting.audit, tables.audit.end);
    return waiting.pruneAuditTo > 0 ? tables.audit.prune(waiting.pruneAuditTo, end) : end;
  };
  const settleWaiting = (withMark: boolean, end: AuditEnd): void => {
    waiting.clear();
    tables.audit.written(end);
    if (withMark) index.marked();
  };
  const checkEnvelopes = (batch: EncodedBatch) => {
    const fresh = new Set(batch.channels.map(({ channel }) => channel.channel_id));
    return checkAppend(batch.envelopes, {
      last_row: index.lastRow,
      last_envelope_id: index.lastId,
      headOf(channelId) {
        const channel = index.numberOf(channelId);
        if (channel !== null) return index.headOf(channel);
        return fresh.has(channelId) ? NO_HEAD : null;
      },
    });
  };

  return {
    get isFull() {
      return waiting.size >= MAX_WAITING;
    },
    writeDurable(batch) {
      const heads = checkEnvelopes(batch);
      const withMark = index.markDue;
      // Audit records that wait are older than those of the batch, and stand before them.
      const withWaiting = withMark || waiting.size >= MAX_WAITING || batch.audit.length > 0;
      try {
        const auditEnd = transact.write(() => {
          for (const { channel, text } of batch.channels) tables.channels.write(channel, text);
          log.append(batch.envelopes);
          const end = withWaiting ? putWaiting(withMark) : tables.audit.end;
          for (const record of batch.records) tables.records.write(record);
          for (const delivery of batch.deliveries) tables.deliveries.write(delivery);
          return tables.audit.append(batch.audit, end);
        });
        if (withWaiting) settleWaiting(withMark, auditEnd);
        waiting.supersede(batch.deliveries, batch.records);
      } catch (error) {
        for (const { channel } of batch.channels) index.forget(channel.channel_id);
        throw error;
      }
      takeIn(index, batch.envelopes, heads);
    },
    writeWaiting(withMark) {
      const mark = withMark || index.markDue;
      if (waiting.size === 0 && !mark) return;
      settleWaiting(
        mark,
        transact.write(() => putWaiting(mark)),
      );
    },
  };
}
