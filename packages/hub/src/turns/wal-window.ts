import { type Envelope, type Store, visibleToMember, type WalSlice } from "@colloquy/protocol";
import type { LiveChannel } from "../live/live-channel.js";
import { rendersSomething } from "../live/renders-something.js";
import { subtract } from "../live/speech-tally.js";
import { parseStored } from "../wal/parse-stored.js";
import { readEnvelopes, readPages, requireBytes, sizeOfNext } from "../wal/read-pages.js";

/** Which part of a WAL a participant's view needs. */
export interface WindowRequest {
  readonly participantId: string;
  /** See `Participant.since`; default: it sees all. */
  readonly since?: number | undefined;
  /** Only what stands before this position; at most one above the newest durable one. */
  readonly before: number;
  /** The newest so many that are visible and show something; null for all that is visible. */
  readonly last: number | null;
  /** Bytes that the envelopes of the slice may have; default: any number. */
  readonly maxBytes?: number | undefined;
}

/** Positions that are read at a time, backwards: at least so many more than are wanted. */
const SPARE = 16;
const FIRST_STRETCH = 64;
const MAX_STRETCH = 1_000;

/**
 * Cuts the slice that a view needs out of the durable WAL, reading backwards no further than the
 * slice reaches. What is left out is counted with the channel's tally and not read. Throws
 * `TooLargeError` for a slice with more bytes than `maxBytes`.
 */
export async function readWindow(
  store: Pick<Store, "readWal">,
  live: LiveChannel,
  { participantId, since, before, last, maxBytes = Number.POSITIVE_INFINITY }: WindowRequest,
): Promise<WalSlice> {
  const member = { agent_id: participantId, since };
  const isVisible = (envelope: Envelope, position: number): boolean =>
    visibleToMember(envelope, position, member);
  if (last === null) {
    const range = { upTo: before - 1 };
    const show = (envelope: Envelope, position: number) =>
      isVisible(envelope, position) ? envelope : null;
    const envelopes = await readEnvelopes(store, live.id, range, { maxBytes, show });
    return { envelopes, left_out: { count: 0, senders: [] } };
  }
  // Taken together, before anything is awaited: the tally counts up to this position.
  const counts = live.tally.visibleTo(participantId);
  const { committed } = live;
  const isShown = (envelope: Envelope, position: number): boolean =>
    isVisible(envelope, position) && rendersSomething(live, envelope);
  for await (const page of readPages(store, live.id, { after: before - 1, upTo: committed })) {
    const shown = page.flatMap((stored) => {
      const envelope = parseStored(stored);
      return isShown(envelope, stored.position) ? [envelope] : [];
    });
    subtract(counts, shown, participantId);
  }
  const shown = await readBackwards(store, live.id, { before, last, maxBytes, isShown });
  subtract(counts, shown, participantId);
  let count = 0;
  for (const number of counts.values()) count += number;
  return { envelopes: shown, left_out: { count, senders: [...counts.keys()] } };
}

interface Backwards {
  readonly before: number;
  readonly last: number;
  readonly maxBytes: number;
  isShown(envelope: Envelope, position: number): boolean;
}

async function readBackwards(
  store: Pick<Store, "readWal">,
  channelId: string,
  { before, last, maxBytes, isShown }: Backwards,
): Promise<Envelope[]> {
  let shown: Envelope[] = [];
  let bytes = 0;
  let upTo = before - 1;
  let stretch = Math.min(last + SPARE, FIRST_STRETCH);
  while (shown.length < last && upTo > 0) {
    const page = await store.readWal(channelId, { last: stretch, upTo });
    if (page.envelopes.length === 0) break;
    const found: Envelope[] = [];
    // Newest first, so that only what is given counts.
    for (const stored of page.envelopes.toReversed()) {
      const envelope = parseStored(stored);
      if (found.length + shown.length >= last || !isShown(envelope, stored.position)) continue;
      bytes += Buffer.byteLength(stored.body);
      requireBytes(bytes, maxBytes);
      found.push(envelope);
    }
    shown = [...found.reverse(), ...shown];
    upTo = (page.envelopes[0]?.position ?? 1) - 1;
    stretch = Math.min(stretch * 2, MAX_STRETCH, sizeOfNext(page.envelopes));
  }
  return shown;
}
