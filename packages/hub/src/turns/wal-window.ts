import { type Envelope, type Store, visibleTo, type WalSlice } from "@colloquy/protocol";
import type { LiveChannel } from "../live/live-channel.js";
import { rendersSomething } from "../live/renders-something.js";
import { subtract } from "../live/speech-tally.js";
import { parseStored } from "../wal/parse-stored.js";
import { readEnvelopes } from "../wal/read-pages.js";

/** Which part of a WAL a participant's view needs. */
export interface WindowRequest {
  readonly participantId: string;
  /** Only what stands before this position; at most one above the newest durable one. */
  readonly before: number;
  /** The newest so many that are visible and show something; null for all that is visible. */
  readonly last: number | null;
}

/** Positions that are read at a time, backwards: at least so many more than are wanted. */
const SPARE = 16;
const MAX_STRETCH = 1_000;

/**
 * Cuts the slice that a view needs out of the durable WAL, reading backwards no further than the
 * slice reaches. What is left out is counted with the channel's tally and not read.
 */
export async function readWindow(
  store: Pick<Store, "readWal">,
  live: LiveChannel,
  { participantId, before, last }: WindowRequest,
): Promise<WalSlice> {
  const isVisible = (envelope: Envelope): boolean => visibleTo(envelope, participantId);
  if (last === null) {
    const all = await readEnvelopes(store, live.id, { upTo: before - 1 });
    return {
      envelopes: all.filter(isVisible),
      left_out: { count: 0, senders: [] },
    };
  }
  // Taken together, before anything is awaited: the tally counts up to this position.
  const counts = live.tally.visibleTo(participantId);
  const { committed } = live;
  const isShown = (envelope: Envelope): boolean =>
    isVisible(envelope) && rendersSomething(live, envelope);
  const behind = await readEnvelopes(store, live.id, { after: before - 1, upTo: committed });
  subtract(counts, behind.filter(isShown), participantId);
  const shown = await readBackwards(store, live.id, { before, last, isShown });
  subtract(counts, shown, participantId);
  let count = 0;
  for (const number of counts.values()) count += number;
  return { envelopes: shown, left_out: { count, senders: [...counts.keys()] } };
}

interface Backwards {
  readonly before: number;
  readonly last: number;
  isShown(envelope: Envelope): boolean;
}

async function readBackwards(
  store: Pick<Store, "readWal">,
  channelId: string,
  { before, last, isShown }: Backwards,
): Promise<Envelope[]> {
  let shown: Envelope[] = [];
  let upTo = before - 1;
  let stretch = Math.min(last + SPARE, MAX_STRETCH);
  while (shown.length < last && upTo > 0) {
    const page = await store.readWal(channelId, { last: stretch, upTo });
    if (page.envelopes.length === 0) break;
    shown = [...page.envelopes.map(parseStored).filter(isShown), ...shown];
    upTo = (page.envelopes[0]?.position ?? 1) - 1;
    stretch = Math.min(stretch * 2, MAX_STRETCH);
  }
  return last === 0 ? [] : shown.slice(-last);
}
