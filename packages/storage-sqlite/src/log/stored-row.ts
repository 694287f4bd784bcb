import type { StoredEnvelope } from "@colloquy/protocol";

/** An envelope as its row holds it; hashes are bytes and the channel is a number. */
export interface EnvelopeRow {
  readonly n: number;
  readonly channel: number;
  readonly position: number;
  readonly prev: number;
  readonly id: string;
  readonly sender: string;
  readonly causation: string | null;
  readonly type: string;
  readonly hash: Buffer;
  readonly content_digest: Buffer;
  readonly body: string;
}

/** Columns of {@link EnvelopeRow}, for statements. */
export const ENVELOPE_COLUMNS =
  "n, channel, position, prev, id, sender, causation, type, hash, content_digest, body";

/** A row as the port wants it. */
export function toStored(row: EnvelopeRow, channelId: string): StoredEnvelope {
  return {
    row: row.n,
    channel_id: channelId,
    position: row.position,
    prev_row: row.prev,
    envelope_id: row.id,
    sender_id: row.sender,
    causation_id: row.causation,
    event_type: row.type,
    hash: row.hash.toString("hex"),
    content_digest: row.content_digest.toString("hex"),
    body: row.body,
  };
}
