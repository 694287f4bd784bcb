import fc from "fast-check";
import { expect, it } from "vitest";
import { createSpeechTally } from "./speech-tally.js";

const AGENTS = ["ann", "ben", "cyd"];
const agent = fc.constantFrom(...AGENTS);
const said = fc.record({
  sender_id: agent,
  audience: fc.oneof(fc.constant(null), fc.array(agent, { minLength: 1, maxLength: 3 })),
});

it("counts for each what it may see, whether all was said to everybody or some to few, over a restart too", () => {
  fc.assert(
    fc.property(fc.array(said), fc.array(said), (before, after) => {
      const tally = createSpeechTally();
      for (const one of before) tally.add(one);
      const restored = createSpeechTally(JSON.parse(JSON.stringify(tally)));
      for (const one of after) {
        tally.add(one);
        restored.add(one);
      }
      const all = [...before, ...after];
      for (const reader of AGENTS) {
        const wanted = new Map<string, number>();
        for (const { sender_id, audience } of all) {
          const sees = audience === null || sender_id === reader || audience.includes(reader);
          if (sees) wanted.set(sender_id, (wanted.get(sender_id) ?? 0) + 1);
        }
        expect(tally.visibleTo(reader)).toEqual(wanted);
        expect(restored.visibleTo(reader)).toEqual(wanted);
      }
    }),
  );
});
