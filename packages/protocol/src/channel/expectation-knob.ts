import * as z from "zod";
import { ProtocolError } from "../errors/network-error.js";
import type { Expectation } from "./channel-manifest.js";
import type { ChannelMetadata } from "./channel-metadata.js";

/**
 * One entry of the knob `expectations`, which every channel type takes.
 *
 * Entries named like expectations of the manifest stand in their place, and what an entry leaves out
 * is taken from the first of those. An entry with another name adds an expectation and must say what
 * happens `on_violation`. `off` takes the expectations of that name away.
 */
export const expectationEntrySchema = z.strictObject({
  name: z.string().min(1),
  on_violation: z.string().min(1).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  applies_to: z.array(z.string()).nullable().optional(),
  off: z.literal(true).optional(),
});
/** See {@link expectationEntrySchema}. */
export type ExpectationEntry = z.infer<typeof expectationEntrySchema>;

/** The knob `expectations`: at most 100 entries. */
export const expectationKnobSchema = z.array(expectationEntrySchema).max(100);

/**
 * What is expected in a channel: its manifest's expectations, as its knob `expectations` changes them.
 *
 * Those of the manifest come first, in its order; then those of the knob.
 *
 * @throws ProtocolError when an entry adds an expectation without `on_violation`
 */
export function expectationsOf(
  channel: Pick<ChannelMetadata, "manifest" | "knobs">,
): Expectation[] {
  const declared = channel.manifest.expectations;
  const knob = expectationKnobSchema.safeParse(channel.knobs["expectations"] ?? []);
  const entries = knob.success ? knob.data : [];
  const named = new Set(entries.map(({ name }) => name));
  const kept = declared.filter(({ name }) => !named.has(name));
  return [...kept, ...entries.filter(({ off }) => !off).map((entry) => complete(entry, declared))];
}

function complete(entry: ExpectationEntry, declared: readonly Expectation[]): Expectation {
  const base = declared.find(({ name }) => name === entry.name);
  const onViolation = entry.on_violation ?? base?.on_violation;
  if (onViolation === undefined) {
    throw new ProtocolError(
      `knob expectations: '${entry.name}' is new to this channel type, so it needs on_violation`,
      { details: { field: "expectations" } },
    );
  }
  return {
    name: entry.name,
    on_violation: onViolation,
    params: { ...base?.params, ...entry.params },
    applies_to: entry.applies_to ?? base?.applies_to ?? null,
  };
}
