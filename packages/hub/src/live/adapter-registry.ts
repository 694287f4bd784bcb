import type { ChannelAdapter, ChannelMetadata } from "@colloquy/protocol";

/** The channel types that a hub knows, by type and version. */
export interface AdapterRegistry {
  readonly size: number;
  /** Adds one; the same type and version replaces. Throws `ProtocolError` for a manifest that contradicts itself. */
  register(adapter: ChannelAdapter): void;
  get(type: string, version: number): ChannelAdapter | null;
  /** The adapter of a channel; throws `NotFoundError`. */
  of(channel: ChannelMetadata): ChannelAdapter;
}
