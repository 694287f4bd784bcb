import { type ChannelHead, type StoredEnvelope, StoreError } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import type { HeadIndex } from "./head-index.js";

/** Writes envelopes at the end of the log; inside a transaction. */
export interface LogWriter {
  append(envelopes: readonly StoredEnvelope[]): void;
}

/**
 * Prepares a {@link LogWriter}.
 *
 * @param anchorEvery - every so many positions of a channel an anchor is written
 */
export function createLogWriter(db: Database, index: HeadIndex, anchorEvery: number): LogWriter {
  const insert = db.prepare("INSERT INTO envelope VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const anchor = db.prepare("INSERT OR REPLACE INTO anchor VALUES (?, ?, ?)");
  return {
    append(envelopes) {
      for (const envelope of envelopes) {
        const { row, position } = envelope;
        const channel = numberOf(index, envelope.channel_id);
        insert.run(
          row,
          channel,
          position,
          envelope.prev_row,
          envelope.envelope_id,
          envelope.sender_id,
          envelope.causation_id,
          envelope.event_type,
          Buffer.from(envelope.hash, "hex"),
          Buffer.from(envelope.content_digest, "hex"),
          envelope.body,
        );
        if (position % anchorEvery === 0) anchor.run(channel, position, row);
      }
    },
  };
}

/** Takes in what was appended, once it is committed. */
export function takeIn(
  index: HeadIndex,
  envelopes: readonly StoredEnvelope[],
  heads: ReadonlyMap<string, ChannelHead>,
): void {
  const newest = envelopes.at(-1);
  if (newest === undefined) return;
  for (const [channelId, head] of heads) index.moved(numberOf(index, channelId), head);
  index.advance(newest.row, newest.envelope_id);
}

function numberOf(index: HeadIndex, channelId: string): number {
  const channel = index.numberOf(channelId);
  if (channel === null) throw new StoreError(`channel ${channelId} is not known`);
  return channel;
}
