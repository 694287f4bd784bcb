import { createDefaultAdapters } from "@colloquy/adapters";
import type { ChannelAdapter, ChannelMetadata } from "@colloquy/protocol";

/** The channel types that this program knows. */
export interface ChannelTypes {
  /** The adapter of a channel; null for a type or version that is not known. */
  of(channel: ChannelMetadata): ChannelAdapter | null;
}

/** The built-in channel types. */
export function createChannelTypes(): ChannelTypes {
  const adapters = createDefaultAdapters();
  return {
    of: ({ manifest }) =>
      adapters.find(
        (adapter) =>
          adapter.manifest.type === manifest.type && adapter.manifest.version === manifest.version,
      ) ?? null,
  };
}
