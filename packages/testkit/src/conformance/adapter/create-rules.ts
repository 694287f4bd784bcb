import { type ChannelMetadata, channelManifestSchema } from "@colloquy/protocol";
import fc from "fast-check";
import { expect } from "vitest";
import type { AdapterSubject } from "./adapter-scenario.js";
import { STRANGER } from "./channel-envelopes.js";
import { expectJson, expectSame } from "./same-json.js";
import { expectProtocolError } from "./turn-rules.js";

/** The manifest has the right shape and is the one that the scenario's channel was opened with. */
export function checkManifest({ makeAdapter, scenario }: AdapterSubject): void {
  const { manifest } = makeAdapter();
  expect(channelManifestSchema.parse(manifest)).toStrictEqual(manifest);
  expect(scenario.channel.manifest.type).toBe(manifest.type);
  expect(scenario.channel.manifest.version).toBe(manifest.version);
}

/** The knobs of the scenario pass as they are; one that nobody knows is refused by its name. */
export function checkKnobs({ makeAdapter, scenario }: AdapterSubject): void {
  const { knobs } = scenario.channel;
  const { knobs: schema } = makeAdapter();
  expectSame(schema.parse(knobs), knobs);
  const refused = schema.safeParse({ ...knobs, knob_of_nobody: 1 });
  expect(refused.success).toBe(false);
  expect(JSON.stringify(refused.error?.issues)).toContain("knob_of_nobody");
}

/** R6: the scenario's channel can be, and so can any that `validateCreate` accepts. */
export function checkCreate({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  makeAdapter().validateCreate(channel);
  const property = fc.property(arbitraryVariant(channel), (variant) => {
    const adapter = makeAdapter();
    let accepted = false;
    expectProtocolError(() => {
      adapter.validateCreate(variant);
      accepted = true;
    });
    if (!accepted) return;
    const state = adapter.initialState(variant);
    expectJson(state);
    expectSame(makeAdapter().initialState(structuredClone(variant)), state);
    adapter.expectedNext(variant, state);
  });
  fc.assert(property, { numRuns: runs });
}

/** Channels near the given one: members left out, in another role or twice, knobs changed. */
function arbitraryVariant(channel: ChannelMetadata): fc.Arbitrary<ChannelMetadata> {
  const members = channel.participants;
  const role = fc.constantFrom("initiator", "respondent", "participant");
  const changed = fc
    .tuple(fc.constantFrom(...members), role)
    .map(([member, next]) => ({ ...member, role: next }) as (typeof members)[number]);
  return fc
    .record({
      participants: fc.oneof(
        fc.constant(members),
        fc.subarray(members),
        changed.map((member) => [...members.slice(1), member]),
      ),
      creator_id: fc.constantFrom(channel.creator_id, STRANGER, members[0]?.agent_id ?? STRANGER),
      knobs: fc.oneof(fc.constant(channel.knobs), arbitraryKnobs(channel)),
    })
    .map((change) => ({ ...channel, ...change }));
}

const KNOBS = ["view", "expectations", "graph", "ordering", "max_turns", "context_vars"];

/** The channel's knobs with one of them, or one of another type, replaced. */
function arbitraryKnobs({ knobs }: ChannelMetadata): fc.Arbitrary<Record<string, unknown>> {
  const name = fc.constantFrom(...Object.keys(knobs), ...KNOBS);
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(null, ...Object.values(knobs)),
  );
  return fc.tuple(name, value).map(([knob, next]) => ({ ...knobs, [knob]: next }));
}
