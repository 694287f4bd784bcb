import type { Logger, Snapshot } from "@colloquy/protocol";
import * as z from "zod";
import { type WatchFacts, watchFactsSchema } from "./channel-watch.js";
import type { LiveChannel } from "./live-channel.js";
import { createSpeechTally, type SpeechTally, speechCountsSchema } from "./speech-tally.js";

const snapshotStateSchema = z.strictObject({
  state: z.unknown(),
  tally: speechCountsSchema,
  /** Absent in a channel without expectations. */
  watch: watchFactsSchema.optional(),
});

/** What a snapshot holds of a channel. */
export interface SnapshotContent {
  readonly state: unknown;
  readonly tally: SpeechTally;
  readonly watch: WatchFacts | undefined;
}

/** A durable channel's state and tally; null when the state is no JSON, which a replay makes up for. */
export function toSnapshot(
  logger: Logger,
  live: LiveChannel,
  end: { readonly row: number; readonly hash: string },
): Snapshot | null {
  try {
    const { durable, tally, watch } = live;
    const state = JSON.stringify({ state: durable.state, tally, ...(watch && { watch }) });
    return { channel_id: live.id, position: live.committed, row: end.row, hash: end.hash, state };
  } catch (error) {
    logger.warn({ err: error, channel_id: live.id }, "a channel's state is no JSON: no snapshot");
    return null;
  }
}

/** Reads a snapshot back; null when it is not one of this version, so that the WAL is folded instead. */
export function readSnapshot(snapshot: Snapshot): SnapshotContent | null {
  try {
    const parsed = snapshotStateSchema.safeParse(JSON.parse(snapshot.state));
    if (!parsed.success) return null;
    const { state, tally, watch } = parsed.data;
    return { state, tally: createSpeechTally(tally), watch };
  } catch {
    return null;
  }
}
