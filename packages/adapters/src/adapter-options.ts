import type { ChannelManifest, Expectation } from "@colloquy/protocol";

/** What a hub may change about a built-in channel type for all its channels. */
export interface AdapterOptions {
  /** Expectations in place of the type's own. */
  readonly expectations?: readonly Expectation[] | undefined;
}

/** Options of the channel types that go on until something ends them. */
export interface OpenEndedOptions extends AdapterOptions {
  /**
   * Automatic answers in a row after which a channel closes with reason `loop_guard`, where neither
   * its knobs nor a turn cap say otherwise. Default: 1000; 0 is no guard.
   */
  readonly loopGuard?: number | undefined;
}

/** A manifest of its own for each adapter, so that nobody changes it for another. */
export function manifestFor(manifest: ChannelManifest, options: AdapterOptions): ChannelManifest {
  const copy = structuredClone(manifest);
  if (options.expectations === undefined) return copy;
  return { ...copy, expectations: structuredClone([...options.expectations]) };
}
