import type { ChannelAdapter, ChannelManifest, ChannelMetadata } from "@colloquy/protocol";

/** The channel types that a hub knows, by type and version. */
export interface AdapterRegistry {
  readonly size: number;
  /** Adds one; the same type and version replaces. Throws `ProtocolError` for a manifest that contradicts itself. */
  register(adapter: ChannelAdapter): void;
  get(type: string, version: number): ChannelAdapter | null;
  /** The manifest as it was registered: one frozen copy for all channels of the type. */
  manifestOf(adapter: ChannelAdapter): ChannelManifest;
  /** The adapter of a channel; throws `NotFoundError`. */
  of(channel: ChannelMetadata): ChannelAdapter;
}
