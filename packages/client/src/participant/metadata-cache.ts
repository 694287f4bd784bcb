import type { ChannelMetadata } from "@colloquy/protocol";

/** Channels whose metadata is remembered. */
const CAPACITY = 1_000;

/** Metadata of channels, for what never changes in it: type, version, knobs. */
export interface MetadataCache {
  /** A copy of any age; read from the hub when there is none. */
  get(channelId: string): Promise<ChannelMetadata>;
  has(channelId: string): boolean;
  set(metadata: ChannelMetadata): void;
}

/** Makes a {@link MetadataCache}; beyond 1,000 channels the one set first is forgotten. */
export function createMetadataCache(
  read: (channelId: string) => Promise<ChannelMetadata>,
): MetadataCache {
  const known = new Map<string, ChannelMetadata>();
  const set = (metadata: ChannelMetadata): void => {
    known.set(metadata.channel_id, metadata);
    if (known.size <= CAPACITY) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  };
  return {
    set,
    has: (channelId) => known.has(channelId),
    async get(channelId) {
      const copy = known.get(channelId);
      if (copy !== undefined) return copy;
      const metadata = await read(channelId);
      set(metadata);
      return metadata;
    },
  };
}
