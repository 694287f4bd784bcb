import { StoreError } from "../errors/network-error.js";
import type { ChannelHead, StoredEnvelope } from "../ports/store.js";

/** Where a store's log ends, as {@link checkAppend} must know it. */
export interface LogEnd {
  /** Newest row; 0 for an empty store. */
  readonly last_row: number;
  /** Newest envelope id; empty for none. */
  readonly last_envelope_id: string;
  /** End of a channel's WAL, position 0 when it has no envelope; null for a channel that the store does not know. */
  headOf(channelId: string): ChannelHead | null;
}

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Checks that envelopes continue a log: rule R3 of the `Store` port.
 *
 * @param envelopes - what is to be appended, in order
 * @param end - where the log ends now
 * @returns the new end of every channel that was touched
 * @throws StoreError that names the first envelope that does not fit, and what was expected of it
 */
export function checkAppend(
  envelopes: readonly StoredEnvelope[],
  end: LogEnd,
): Map<string, ChannelHead> {
  const heads = new Map<string, ChannelHead>();
  let row = end.last_row;
  let id = end.last_envelope_id;
  for (const envelope of envelopes) {
    const channelId = envelope.channel_id;
    const head = heads.get(channelId) ?? end.headOf(channelId);
    if (head === null) {
      throw refusal(envelope, `channel ${channelId} is not known: write the channel first`);
    }
    row += 1;
    expectEqual(envelope, "row", row);
    expectEqual(envelope, "position", head.position + 1);
    expectEqual(envelope, "prev_row", head.row);
    if (envelope.envelope_id <= id) {
      throw refusal(envelope, `its id must sort above ${id || "the empty text"}`);
    }
    if (!DIGEST.test(envelope.hash) || !DIGEST.test(envelope.content_digest)) {
      throw refusal(envelope, "hash and content_digest must be 64 lower-case hex characters");
    }
    id = envelope.envelope_id;
    heads.set(channelId, { position: envelope.position, row, hash: envelope.hash });
  }
  return heads;
}

function expectEqual(
  envelope: StoredEnvelope,
  field: "row" | "position" | "prev_row",
  expected: number,
): void {
  if (envelope[field] === expected) return;
  throw refusal(envelope, `expected ${field} ${expected}, received ${envelope[field]}`, {
    field,
    expected,
    received: envelope[field],
  });
}

function refusal(
  envelope: StoredEnvelope,
  why: string,
  details: Readonly<Record<string, unknown>> = {},
): StoreError {
  return new StoreError(
    `envelope ${envelope.envelope_id} of channel ${envelope.channel_id} does not continue the log: ${why}`,
    {
      details: {
        reason: "conflict",
        envelope_id: envelope.envelope_id,
        channel_id: envelope.channel_id,
        outcome: "none",
        ...details,
      },
    },
  );
}
