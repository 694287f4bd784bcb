import type { StoredEnvelope } from "@colloquy/protocol";
import type { EnvelopeLine } from "../export/export-lines.js";

/** Gives envelopes of an export their rows in a store. */
export interface Numbering {
  /** The envelope as the store is to keep it. */
  next(line: EnvelopeLine): StoredEnvelope;
}

/** Numbers from behind a row on. Rows are the store's own; positions, ids and hashes stay. */
export function startNumbering(afterRow: number): Numbering {
  const newest = new Map<string, number>();
  let row = afterRow;
  return {
    next({ envelope, position, hash, content_digest }) {
      const channelId = textOf(envelope["channel_id"]);
      row += 1;
      const prevRow = newest.get(channelId) ?? 0;
      newest.set(channelId, row);
      const causation = envelope["causation_id"];
      return {
        row,
        channel_id: channelId,
        position,
        prev_row: prevRow,
        envelope_id: textOf(envelope["envelope_id"]),
        sender_id: textOf(envelope["sender_id"]),
        causation_id: typeof causation === "string" ? causation : null,
        event_type: textOf(envelope["event_type"]),
        hash,
        content_digest,
        body: JSON.stringify(envelope),
      };
    },
  };
}

/** What is no text is found when the body is checked. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
