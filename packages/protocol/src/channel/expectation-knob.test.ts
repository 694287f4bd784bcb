import { describe, expect, it } from "vitest";
import { ProtocolError } from "../errors/network-error.js";
import { channelManifestSchema } from "./channel-manifest.js";
import { expectationKnobSchema, expectationsOf } from "./expectation-knob.js";

const manifest = channelManifestSchema.parse({
  type: "t",
  expectations: [
    { name: "acks_within", on_violation: "auto_close", params: { seconds: 30 } },
    { name: "turn_within", on_violation: "warn", params: { seconds: 120, grace: 1 } },
    { name: "turn_within", on_violation: "hide", params: { seconds: 600 } },
  ],
});
const expectedWith = (expectations?: unknown) =>
  expectationsOf({ manifest, knobs: expectations === undefined ? {} : { expectations } });

describe("expectationsOf", () => {
  it("is the manifest's list without a knob, and when the knob has no such shape", () => {
    expect(expectedWith()).toEqual(manifest.expectations);
    expect(expectedWith([])).toEqual(manifest.expectations);
    expect(expectedWith("nonsense")).toEqual(manifest.expectations);
  });

  it("lets entries stand for those of their name and fills in what they leave out", () => {
    const changed = expectedWith([{ name: "turn_within", params: { seconds: 5 } }]);
    expect(changed).toEqual([
      manifest.expectations[0],
      {
        name: "turn_within",
        on_violation: "warn",
        params: { seconds: 5, grace: 1 },
        applies_to: null,
      },
    ]);
  });

  it("adds entries of other names, for some participants only", () => {
    const added = { name: "max_silence", on_violation: "audit", applies_to: ["a"] };
    expect(expectedWith([added]).at(-1)).toEqual({ ...added, params: {} });
    expect(() => expectedWith([{ name: "max_silence" }])).toThrow(ProtocolError);
    expect(() => expectedWith([{ name: "max_silence" }])).toThrow(/max_silence.*on_violation/);
  });

  it("takes away what is off", () => {
    const names = expectedWith([{ name: "turn_within", off: true }]).map(({ name }) => name);
    expect(names).toEqual(["acks_within"]);
  });
});

describe("expectationKnobSchema", () => {
  it("refuses misspelt fields, nameless entries and long lists", () => {
    expect(expectationKnobSchema.safeParse([{ name: "x", onViolation: "audit" }]).success).toBe(
      false,
    );
    expect(expectationKnobSchema.safeParse([{ name: "" }]).success).toBe(false);
    const many = Array.from({ length: 101 }, () => ({ name: "x" }));
    expect(expectationKnobSchema.safeParse(many).success).toBe(false);
    expect(expectationKnobSchema.safeParse(many.slice(1)).success).toBe(true);
  });
});
