import { settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { createTurns } from "./take-turns.js";

it("runs one key in turn and others side by side, failures included", async () => {
  const takeTurns = createTurns();
  const steps: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      steps.push(`${name} starts`);
      await settle();
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const outcomes = await Promise.allSettled([
    takeTurns("a", work("a1", true)),
    takeTurns("a", work("a2")),
    takeTurns("b", work("b1")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(steps.slice(0, 2)).toEqual(["b1 starts", "a1 starts"].sort());
  expect(steps.filter((step) => step.startsWith("a"))).toEqual([
    "a1 starts",
    "a1 ends",
    "a2 starts",
    "a2 ends",
  ]);
  expect(await takeTurns("a", work("a3"))).toBe("a3");
});
