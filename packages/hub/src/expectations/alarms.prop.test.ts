import fc from "fast-check";
import { expect, it } from "vitest";
import { createAlarms, type Sleeper } from "./alarms.js";

it("the first is always one that wakes earliest, whatever is set, moved and taken away", () => {
  const move = fc.record({
    who: fc.nat(30),
    at: fc.option(fc.nat(50), { freq: 4, nil: Infinity }),
  });
  const property = fc.property(fc.array(move, { maxLength: 300 }), (moves) => {
    const alarms = createAlarms<Sleeper>();
    const sleepers = Array.from({ length: 31 }, () => ({ wakeAt: Infinity, slot: -1 }));
    for (const { who, at } of moves) {
      const sleeper = sleepers[who];
      if (sleeper !== undefined) alarms.set(sleeper, at);
      const awaited = sleepers.filter(({ wakeAt }) => wakeAt !== Infinity);
      expect(alarms.size).toBe(awaited.length);
      const earliest = Math.min(Infinity, ...awaited.map(({ wakeAt }) => wakeAt));
      expect(alarms.first?.wakeAt ?? Infinity).toBe(earliest);
      expect(new Set(awaited.map(({ slot }) => slot)).size).toBe(awaited.length);
    }
  });
  fc.assert(property, { numRuns: 200 });
});
