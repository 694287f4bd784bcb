import { describe, expect, it } from "vitest";
import { findParticipant } from "./find-participant.js";

const names = { "id-s": "security", "id-b": "billing", "id-q": "O'Neill" };

describe("findParticipant", () => {
  it.each(["id-s", "security", "Security ", '"security"', "SECURITY", " “Security” ", "`id-s`"])(
    "F-049 takes %j for security",
    (name) => {
      expect(findParticipant(name, names)).toBe("id-s");
    },
  );

  it.each(["securty", "", '""', "sec urity"])("F-049 takes %j for nobody", (name) => {
    expect(findParticipant(name, names)).toBeNull();
  });

  it("prefers an exact name, and takes none of two that are alike", () => {
    const alike = { "id-1": "Bob", "id-2": "bob" };
    expect(findParticipant("bob", alike)).toBe("id-2");
    expect(findParticipant("BOB", alike)).toBeNull();
    expect(findParticipant("o'neill", names)).toBe("id-q");
  });
});
