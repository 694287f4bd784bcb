import {
  type BrokenChannel,
  type ChannelMetadata,
  isTerminalState,
  type RecordKind,
  type RecoveredChannel,
  type Recovery,
} from "@colloquy/protocol";
import type { DiskChannel, DiskContent } from "./memory-disk.js";

/** Why a damaged channel cannot be read. */
export const DAMAGED = "its data on the memory disk was damaged on purpose";

const KEPT_IN_MEMORY: readonly RecordKind[] = ["agent", "resume", "rule", "key", "meta", "task"];

/** All that a hub needs to start. */
export function recoverFrom(content: DiskContent): Recovery {
  const newest = content.log.at(-1);
  return {
    last_row: newest?.row ?? 0,
    last_envelope_id: newest?.envelope_id ?? "",
    records: KEPT_IN_MEMORY.flatMap((kind) => [...(content.records.get(kind)?.above("") ?? [])]),
    deliveries: [...content.deliveries.above("")].flatMap((ofAgent) =>
      [...ofAgent.above("")].filter((delivery) => !delivery.settled),
    ),
    channels: openChannels(content),
    repairs: [],
  };
}

/** A channel's metadata, a copy of its own for every caller. */
export function readMetadata(channel: DiskChannel): ChannelMetadata {
  return JSON.parse(channel.metadata) as ChannelMetadata;
}

async function* openChannels(
  content: DiskContent,
): AsyncGenerator<RecoveredChannel | BrokenChannel> {
  for (const channel of content.channels.above("")) {
    if (!isTerminalState(channel.state)) yield recoverChannel(channel);
  }
}

function recoverChannel(channel: DiskChannel): RecoveredChannel | BrokenChannel {
  if (channel.damaged) return { channel_id: channel.id, channel: null, reason: DAMAGED };
  const { head, snapshot } = channel;
  const tail = channel.wal.slice(snapshot?.position ?? 0);
  return { channel: readMetadata(channel), head, snapshot, tail };
}
