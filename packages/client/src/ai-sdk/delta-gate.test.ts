import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDeltaGate } from "./delta-gate.js";

function show(rounds: readonly (readonly (readonly string[])[])[]): string[] {
  const shown: string[] = [];
  const gate = createDeltaGate((text) => shown.push(text));
  for (const attempts of rounds) {
    gate.beginRound();
    for (const pieces of attempts) {
      const take = gate.beginAttempt();
      for (const piece of pieces) take(piece);
    }
  }
  return shown;
}

describe("createDeltaGate", () => {
  it("goes on where a broken attempt ended, however the text is cut", () => {
    expect(
      show([
        [
          ["For", "ty"],
          ["F", "orty-", "two"],
        ],
      ]),
    ).toEqual(["For", "ty", "-", "two"]);
  });

  it("shows nothing more of a repeat once it says something else", () => {
    expect(show([[["Forty"], ["For", "mally", " Forty"]]])).toEqual(["Forty"]);
  });

  it("parts rounds by a blank line, where both have shown something", () => {
    expect(show([[["One."]], [[]], [["Two."]]]).join("")).toBe("One.\n\nTwo.");
    expect(show([[[""]], [["Two."]]]).join("")).toBe("Two.");
  });

  it("never shows what is no beginning of an attempt, nor anything twice", () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 4 }), (attempts) => {
        const shown = show([attempts]).join("");
        const texts = attempts.map((attempt) => attempt.join(""));
        expect(texts.some((text) => text.startsWith(shown))).toBe(true);
        const [first = ""] = texts;
        expect(shown.startsWith(first)).toBe(true);
      }),
    );
  });

  it("shows all of the last attempt when each attempt repeats what was there", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.nat(30)), (text, cuts) => {
        const attempts = [...cuts.map((cut) => [...text.slice(0, cut)]), [text]];
        expect(show([attempts]).join("")).toBe(text);
      }),
    );
  });
});
