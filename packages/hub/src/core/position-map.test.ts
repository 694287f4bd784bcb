import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createPositionMap } from "./position-map.js";

it("keeps exactly the newest entry of every key at or above the floor", () => {
  const steps = fc.array(fc.record({ key: fc.nat(6), gap: fc.nat(2), keep: fc.nat(5) }), {
    maxLength: 4_000,
    minLength: 2_000,
  });
  const property = fc.property(steps, (all) => {
    const map = createPositionMap<number>();
    const model = new Map<string, number>();
    let position = 0;
    for (const { key, gap, keep } of all) {
      position += gap;
      map.set(`${key}`, position, position);
      model.set(`${key}`, position);
      const floor = position - keep;
      map.forgetBelow(floor);
      for (const [name, at] of model) if (at < floor) model.delete(name);
    }
    expect(map.size).toBe(model.size);
    for (let key = 0; key <= 6; key += 1) expect(map.get(`${key}`)).toBe(model.get(`${key}`));
  });
  void fc.assert(property, { numRuns: 20 });
});

it("forgets everything below infinity", () => {
  const map = createPositionMap<string>();
  map.set("a", "x", 1);
  map.forgetBelow(Number.POSITIVE_INFINITY);
  expect(map.size).toBe(0);
  map.set("a", "y", 2);
  expect(map.get("a")).toBe("y");
});
