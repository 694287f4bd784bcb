import { isId } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createFakeIds } from "./fake-ids.js";

describe("createFakeIds", () => {
  it("makes the same valid, increasing ids every time", () => {
    const first = createFakeIds();
    const second = createFakeIds();
    const ids = Array.from({ length: 300 }, () => first.next());
    expect(ids).toEqual(Array.from({ length: 300 }, () => second.next()));
    expect(ids.every(isId)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(300);
  });

  it("goes past an id that it is shown, and ignores what is none", () => {
    const ids = createFakeIds();
    const far = `1900000000000000${"f".repeat(16)}`;
    ids.advancePast(far);
    ids.advancePast("nonsense");
    ids.advancePast(`17${"0".repeat(30)}`);
    expect(ids.next() > far).toBe(true);
  });

  it("never repeats an id of another seed", () => {
    expect(createFakeIds(1).next()).not.toBe(createFakeIds(2).next());
    expect(() => createFakeIds(-1)).toThrow(RangeError);
  });
});
