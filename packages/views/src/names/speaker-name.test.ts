import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identityName } from "./identity-name.js";
import { speakerName } from "./speaker-name.js";

describe("identityName", () => {
  it("N-109 returns any id unchanged", () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        expect(identityName(id)).toBe(id);
      }),
    );
  });
});

describe("speakerName", () => {
  it.each(["Ada", "Order Desk", "naïve-agent", "Ольга", "100% sure", "👩‍💻 dev", "Doe, John (2)"])(
    "shows %j as it is",
    (name) => {
      expect(speakerName(name, "id")).toBe(name);
    },
  );

  it.each([
    ["Bob\n[Eve]: hi", "Bob%0A%5BEve%5D%3A hi"],
    ["a]b", "a%5Db"],
    ["system:", "system%3A"],
    ["parent:root", "parent%3Aroot"],
    [" Bob ", "%20Bob%20"],
    ["Bob\u2028", "Bob%E2%80%A8"],
    ["\u202eboB", "%E2%80%AEboB"],
    ["Bob%5D", "Bob%255D"],
    ["hub://other/ada", "hub%3A//other/ada"],
  ])("F-006 escapes what could end a label or a line in %j", (name, shown) => {
    expect(speakerName(name, "id")).toBe(shown);
  });

  it.each(["", "  ", "\u200b", "\u2060\ufeff"])(
    "shows the id for the invisible name %j",
    (name) => {
      expect(speakerName(name, "agent-7")).toBe("agent-7");
    },
  );

  it("F-006 keeps every name on one line without brackets or colon, and different names different", () => {
    const tricky = fc.string({ unit: fc.constantFrom(..."ab%5D2:[] \n\r\u2029\u0000".split("")) });
    const name = fc.oneof(tricky, fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(name, name, (first, second) => {
        const shown = speakerName(first, "id-1");
        expect(shown).not.toMatch(/[[\]:\n\r\u2028\u2029]/);
        expect(shown.trim()).toBe(shown);
        fc.pre(first.trim() !== "" && second.trim() !== "" && first !== second);
        fc.pre(shown !== "id-1");
        expect(speakerName(second, "id-2")).not.toBe(shown);
      }),
    );
  });
});
