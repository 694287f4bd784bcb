import {
  type ChannelAdapter,
  type ChannelManifest,
  channelManifestSchema,
  NotFoundError,
  ProtocolError,
} from "@colloquy/protocol";
import { freezeDeep } from "../core/freeze.js";
import type { AdapterRegistry } from "./adapter-registry.js";

/**
 * Makes the {@link AdapterRegistry} of a hub; throws as `register` does.
 *
 * @param check - throws for a manifest that the hub cannot keep
 */
export function createAdapterRegistry(
  adapters: readonly ChannelAdapter[] = [],
  check: (manifest: ChannelManifest) => void = () => undefined,
): AdapterRegistry {
  const byKey = new Map<string, ChannelAdapter>();
  const manifests = new WeakMap<ChannelAdapter, ChannelManifest>();
  const get = (type: string, version: number): ChannelAdapter | null =>
    byKey.get(keyOf(type, version)) ?? null;
  const registry: AdapterRegistry = {
    get size() {
      return byKey.size;
    },
    register(adapter) {
      checkManifest(adapter);
      check(adapter.manifest);
      byKey.set(keyOf(adapter.manifest.type, adapter.manifest.version), adapter);
      manifests.set(adapter, freezeDeep(structuredClone(adapter.manifest)));
    },
    get,
    manifestOf: (adapter) => manifests.get(adapter) ?? structuredClone(adapter.manifest),
    of({ channel_id, manifest }) {
      const adapter = get(manifest.type, manifest.version);
      if (adapter !== null) return adapter;
      throw new NotFoundError(
        `no adapter for type '${manifest.type}' version ${manifest.version} of channel '${channel_id}'`,
      );
    },
  };
  for (const adapter of adapters) registry.register(adapter);
  return registry;
}

function checkManifest({ manifest }: ChannelAdapter): void {
  const parsed = channelManifestSchema.safeParse(manifest);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ProtocolError(
      `the manifest of channel type '${String(manifest.type)}' is no manifest: ${issue?.path.join(".")}: ${issue?.message}`,
    );
  }
  const { min, max } = manifest.participants;
  if (max !== null && max < min) {
    throw new ProtocolError(
      `the manifest of channel type '${manifest.type}' asks for at least ${min} and at most ${max} participants`,
    );
  }
}

function keyOf(type: string, version: number): string {
  return `${version} ${type}`;
}
