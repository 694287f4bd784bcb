import type { Store, StoredEnvelope } from "@colloquy/protocol";
import { eachOfChannel } from "../data/read-pages.js";
import { type EnvelopeFilter, passes, takesAll } from "./envelope-filter.js";

/** Which part of a channel's WAL to read. */
export interface WalSelection extends EnvelopeFilter {
  /** Positions above this one. */
  readonly after?: number | undefined;
  /** Only the newest so many that pass. */
  readonly last?: number | undefined;
  /** At most so many that pass, from the start. */
  readonly limit?: number | undefined;
}

/**
 * Envelopes of a channel that pass, oldest first. `last` counts those that pass, not those read,
 * and holds at most that many in memory.
 */
export async function* selectEnvelopes(
  store: Store,
  channelId: string,
  selection: WalSelection,
): AsyncGenerator<StoredEnvelope, void, undefined> {
  const { after = 0, last, limit = Number.POSITIVE_INFINITY } = selection;
  if (last !== undefined && !takesAll(selection)) {
    const newest: StoredEnvelope[] = [];
    for await (const stored of eachOfChannel(store, channelId, { after })) {
      if (passes(stored, selection) && newest.push(stored) > last) newest.shift();
    }
    yield* newest.slice(0, limit);
    return;
  }
  let given = 0;
  if (limit === 0 || last === 0) return;
  const range = last === undefined ? { after } : { after, last };
  for await (const stored of eachOfChannel(store, channelId, range)) {
    if (!passes(stored, selection)) continue;
    yield stored;
    given += 1;
    if (given >= limit) return;
  }
}
