import type { Store, StoredEnvelope } from "@colloquy/protocol";
import { eachRow } from "../data/read-pages.js";
import type { Finding } from "./finding.js";
import { at, ofChannel } from "./link-check.js";

/** What is verified of the whole log. */
export interface LogVerification {
  readonly store: Store;
  /** The last row to look at. */
  readonly upTo: number;
  /** Envelopes up to that row that were reached through each channel. */
  readonly reached: ReadonlyMap<string, number>;
  onEnvelope(stored: StoredEnvelope): void;
}

/**
 * Verifies the global order: rows without holes, ids that rise, and no envelope that its channel
 * does not lead to.
 */
export async function* verifyLog({
  store,
  upTo,
  reached,
  onEnvelope,
}: LogVerification): AsyncGenerator<Finding, void, undefined> {
  const counted = new Map<string, number>();
  let row = 0;
  let id = "";
  for await (const stored of eachRow(store, 0, upTo)) {
    onEnvelope(stored);
    if (stored.row !== row + 1) {
      yield at(stored, "row", `row ${stored.row} follows row ${row}`);
    }
    if (stored.envelope_id <= id) {
      yield at(stored, "id_order", `id ${stored.envelope_id} does not sort above ${id}`);
    }
    counted.set(stored.channel_id, (counted.get(stored.channel_id) ?? 0) + 1);
    row = stored.row;
    id = stored.envelope_id;
  }
  if (row !== upTo) {
    yield ofChannel("", "row", `the log ends at row ${row}, expected ${upTo}`);
  }
  for (const [channelId, count] of counted) {
    const known = reached.get(channelId);
    if (known === undefined) {
      yield ofChannel(
        channelId,
        "channel",
        `${count} envelopes belong to a channel that is not there`,
      );
    } else if (known !== count) {
      const message = `the log holds ${count} envelopes of it, its own chain leads to ${known}`;
      yield ofChannel(channelId, "row", message);
    }
  }
}
