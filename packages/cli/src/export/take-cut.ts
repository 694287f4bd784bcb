import { CHANNEL_EVENT_PREFIX, type ChannelMetadata, type Store } from "@colloquy/protocol";
import { lastRow } from "../data/last-row.js";
import { eachChannel, eachRow } from "../data/read-pages.js";
import { CliError } from "../errors/cli-error.js";

/** How often a cut is tried while channels open and close. */
const MAX_TRIES = 20;

/** A store at one instant: channels as they were when this row was the last. */
export interface Cut {
  readonly upTo: number;
  readonly channels: readonly ChannelMetadata[];
}

/**
 * Finds an instant at which channels and log fit together, while a hub may be writing.
 *
 * A channel's metadata changes only with an event of its life. So what was read of the channels
 * holds for the whole stretch of rows that came meanwhile, if no such event is among them.
 *
 * @param channelId - only this channel; default: all
 * @throws CliError when no quiet instant was found
 */
export async function takeCut(store: Store, channelId?: string): Promise<Cut> {
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    const before = await lastRow(store);
    const channels = await readChannels(store, channelId);
    const upTo = await lastRow(store);
    if (await isQuiet(store, before, upTo, channelId)) return { upTo, channels };
  }
  throw new CliError("channels open and close too quickly to find one state of all of them.", {
    remedy: "Take a copy with `colloquy backup` and export that.",
  });
}

async function readChannels(store: Store, channelId?: string): Promise<ChannelMetadata[]> {
  if (channelId !== undefined) {
    const channel = await store.readChannel(channelId);
    return channel === null ? [] : [channel];
  }
  const channels: ChannelMetadata[] = [];
  for await (const channel of eachChannel(store)) channels.push(channel);
  return channels;
}

async function isQuiet(
  store: Store,
  after: number,
  upTo: number,
  channelId?: string,
): Promise<boolean> {
  for await (const { event_type, channel_id } of eachRow(store, after, upTo)) {
    const isOther = channelId !== undefined && channel_id !== channelId;
    if (!isOther && event_type.startsWith(CHANNEL_EVENT_PREFIX)) return false;
  }
  return true;
}
