import {
  createEnvelope,
  type Envelope,
  EV_CONTEXT_SET,
  EV_PACKET,
  EV_TEXT,
} from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDefaultAdapters } from "../default-adapters.js";
import { contextEquals, fromSpeaker, toolCalled } from "../graph/conditions.js";
import { agentTarget, roundRobinTarget, stayTarget } from "../graph/targets.js";
import { transition } from "../graph/transition-graph.js";

const ids = ["agent-a", "agent-b"] as const;
const graph = {
  initial_speaker: ids[0],
  transitions: [
    transition(toolCalled("t"), agentTarget(ids[1])),
    transition(contextEquals("k", "v"), stayTarget()),
    transition(fromSpeaker(ids[0]), roundRobinTarget()),
  ],
  default_target: agentTarget(ids[0]),
  max_turns: null,
};
const adapters = createDefaultAdapters().map((adapter) => ({
  adapter,
  type: adapter.manifest.type,
}));

/** Payloads of no particular shape: the right keys with anything under them, or anything at all. */
const anything = fc.jsonValue({ maxDepth: 3 });
const payload = fc.oneof(
  fc.record(
    {
      text: anything,
      routing: fc.oneof(anything, fc.record({ kind: anything, target: anything, tool: anything })),
      context_updates: fc.oneof(anything, fc.record({ set: anything, delete: anything })),
      context: anything,
      body: anything,
      set: anything,
      delete: anything,
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  fc.dictionary(fc.string(), anything, { noNullPrototype: true }),
);
const envelope: fc.Arbitrary<Envelope> = fc
  .record({
    event_type: fc.constantFrom(EV_TEXT, EV_PACKET, EV_CONTEXT_SET, "custom"),
    event_data: payload.map((data): Record<string, unknown> => JSON.parse(JSON.stringify(data))),
    sender_id: fc.constantFrom(...ids, "agent-x"),
    causation_id: fc.constantFrom(null, "e1"),
  })
  .map((draft) => createEnvelope({ channel_id: "channel-1", envelope_id: "e1", ...draft }));

describe.each(adapters)("fold of $type", ({ adapter, type }) => {
  const channel = fakeChannel(adapter.manifest, ids, type === "workflow" ? { graph } : {});
  const foldAll = (state: unknown, course: readonly Envelope[]) =>
    course.reduce<unknown>((folded, next) => adapter.fold(folded, next), state);

  it("takes any payload, gives the same state twice, and the same from a snapshot", () => {
    const input = fc.tuple(fc.array(envelope, { maxLength: 12 }), fc.nat({ max: 12 }));
    const property = fc.property(input, ([course, cut]) => {
      const full = foldAll(adapter.initialState(channel), course);
      const text = JSON.stringify(full);
      expect(JSON.stringify(foldAll(adapter.initialState(channel), course))).toBe(text);
      const early = foldAll(adapter.initialState(channel), course.slice(0, cut));
      const restored: unknown = JSON.parse(JSON.stringify(early));
      expect(JSON.stringify(foldAll(restored, course.slice(cut)))).toBe(text);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("renders any payload", () => {
    const property = fc.property(envelope, (any) => {
      adapter.renderEnvelope(any);
      adapter.turnInput(any);
      adapter.onAccepted(channel, any, adapter.fold(adapter.initialState(channel), any));
      adapter.prepareSend?.(channel, any, { resolveName: () => null });
    });
    fc.assert(property, { numRuns: 300 });
  });
});
