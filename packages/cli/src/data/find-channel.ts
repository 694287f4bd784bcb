import type { ChannelMetadata, Store } from "@colloquy/protocol";
import { matchId } from "./match-id.js";
import { eachChannel } from "./read-pages.js";

/**
 * The channel that a person named: by its id, or by a unique beginning or end of it.
 *
 * @throws CliError when none or more than one fits
 */
export async function findChannel(store: Store, text: string): Promise<ChannelMetadata> {
  const exact = await store.readChannel(text);
  if (exact !== null) return exact;
  const all: { id: string; label: string }[] = [];
  for await (const channel of eachChannel(store)) {
    all.push({
      id: channel.channel_id,
      label: `${channel.channel_id} (${channel.manifest.type}, ${channel.state})`,
    });
  }
  const { id } = matchId("channel", text, all);
  const channel = await store.readChannel(id);
  if (channel === null) throw new Error(`channel ${id} was listed and cannot be read`);
  return channel;
}
