import { type ChannelAdapter, type ChannelMetadata, NotFoundError } from "@colloquy/protocol";

/** The channel types that a client knows. */
export interface AdapterMap {
  register(adapter: ChannelAdapter): void;
  /** Throws `NotFoundError` when there is none for the channel's type and version. */
  adapterFor(metadata: ChannelMetadata): ChannelAdapter;
}

/** Makes an {@link AdapterMap}. */
export function createAdapterMap(adapters: readonly ChannelAdapter[]): AdapterMap {
  const known = new Map<string, ChannelAdapter>();
  const keyOf = (type: string, version: number): string => `${type}\n${version}`;
  const register = (adapter: ChannelAdapter): void => {
    known.set(keyOf(adapter.manifest.type, adapter.manifest.version), adapter);
  };
  for (const adapter of adapters) register(adapter);
  return {
    register,
    adapterFor({ manifest: { type, version } }) {
      const adapter = known.get(keyOf(type, version));
      if (adapter !== undefined) return adapter;
      throw new NotFoundError(
        `no adapter for channel type '${type}' version ${version} in this client; register one`,
      );
    },
  };
}
