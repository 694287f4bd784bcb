import { parseTimestamp, type Store, type StoredEnvelope } from "@colloquy/protocol";
import { firstRowWhere } from "../data/last-row.js";
import { readBody } from "./read-body.js";

/** The first row that was admitted at or after an instant; one above the last row when none was. */
export function firstRowSince(store: Store, sinceMs: number): Promise<number> {
  return firstRowWhere(store, (stored) => admittedAt(stored) >= sinceMs);
}

/**
 * The first position of a channel that was admitted at or after an instant, looked for in halves;
 * one above the last position when none was.
 */
export async function firstPositionSince(
  store: Store,
  channelId: string,
  sinceMs: number,
): Promise<number> {
  let low = 1;
  let high = (await store.readHead(channelId)).position + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const page = await store.readWal(channelId, { after: middle - 1, limit: 1 });
    const [stored] = page.envelopes;
    if (stored === undefined || admittedAt(stored) >= sinceMs) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** An envelope whose time cannot be read counts as old, so that it hides nothing behind it. */
function admittedAt(stored: StoredEnvelope): number {
  return parseTimestamp(readBody(stored)?.created_at ?? "") ?? Number.NEGATIVE_INFINITY;
}
