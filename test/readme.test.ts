import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, readText } from "./source-files.js";

it("shows the ten-line agent that the examples run", () => {
  const shown = readText("README.md").match(/```ts\n([\s\S]*?)```/)?.[1];
  expect(shown).toBe(readText("examples/ten-line-agent/main.ts"));
});

it("links only to pages that are there", () => {
  const targets = [...readText("README.md").matchAll(/\]\(([^)#:]+)\)/g)].map(
    (match) => match[1] ?? "",
  );
  expect(targets.length).toBeGreaterThan(10);
  expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
});
