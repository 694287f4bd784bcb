import fc from "fast-check";
import { expect, it } from "vitest";
import { createSortedMap } from "./sorted-map.js";

it("equals a plain map whose keys are sorted for every list", () => {
  const key = fc.string({ unit: "grapheme-ascii", maxLength: 3 });
  const step = fc.record({ key, value: fc.option(fc.nat()) });
  fc.assert(
    fc.property(fc.array(step), key, (steps, after) => {
      const sorted = createSortedMap<number>();
      const plain = new Map<string, number>();
      for (const { key: name, value } of steps) {
        if (value === null) {
          sorted.delete(name);
          plain.delete(name);
        } else {
          sorted.set(name, value);
          plain.set(name, value);
        }
      }
      const expected = [...plain]
        .filter(([name]) => name > after)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, value]) => value);
      expect([...sorted.above(after)]).toEqual(expected);
      expect(sorted.size).toBe(plain.size);
      expect(sorted.get(after)).toBe(plain.get(after));
    }),
  );
});

it("may change while it is read", () => {
  const sorted = createSortedMap<string>();
  for (const key of ["a", "b", "c"]) sorted.set(key, key);
  const seen: string[] = [];
  for (const value of sorted.above("")) {
    seen.push(value);
    if (value === "a") {
      sorted.delete("a");
      sorted.delete("b");
      sorted.set("d", "d");
    }
  }
  expect(seen).toEqual(["a", "c", "d"]);
});
